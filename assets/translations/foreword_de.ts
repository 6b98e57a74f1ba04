<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>AboutPage</name>
    <message>
        <source>A private desktop chat that drafts ahead. A small model proposes a few words, the large one checks them all at once; the reply is the large one’s own, only sooner.</source>
        <translation>Ein privater Chat für den Rechner, der vorausschreibt. Ein kleines Modell schlägt ein paar Wörter vor, das große prüft sie alle auf einmal; die Antwort ist die des großen, nur früher.</translation>
    </message>
    <message>
        <source>About Foreword</source>
        <translation>Über Foreword</translation>
    </message>
    <message>
        <source>Copy for a report</source>
        <translation>Für einen Fehlerbericht kopieren</translation>
    </message>
    <message>
        <source>Foreword is free software under the Apache licence, version 2.0.</source>
        <translation>Foreword ist freie Software unter der Apache-Lizenz, Version 2.0.</translation>
    </message>
    <message>
        <source>Foreword never looks for them by itself.</source>
        <translation>Foreword sucht nie von selbst danach.</translation>
    </message>
    <message>
        <source>NEW VERSIONS</source>
        <translation>NEUE VERSIONEN</translation>
    </message>
    <message>
        <source>Open the page they are on</source>
        <translation>Die Seite öffnen, auf der sie stehen</translation>
    </message>
    <message>
        <source>They come from where you got this one.</source>
        <translation>Es gibt sie dort, woher Sie diese haben.</translation>
    </message>
    <message>
        <source>Version {number}</source>
        <translation>Version {number}</translation>
    </message>
    <message>
        <source>WHAT RUNS HERE</source>
        <translation>WAS HIER LÄUFT</translation>
    </message>
</context>
<context>
    <name>Actions</name>
    <message>
        <source>&amp;About Foreword</source>
        <translation>Ü&amp;ber Foreword</translation>
    </message>
    <message>
        <source>&amp;All models</source>
        <translation>&amp;Alle Modelle</translation>
    </message>
    <message>
        <source>&amp;Attach a file…</source>
        <translation>Datei &amp;anhängen…</translation>
    </message>
    <message>
        <source>&amp;Back to the chat</source>
        <translation>&amp;Zurück zum Chat</translation>
    </message>
    <message>
        <source>&amp;Chat</source>
        <translation>&amp;Chat</translation>
    </message>
    <message>
        <source>&amp;Chats</source>
        <translation>&amp;Chats</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Copy the last reply</source>
        <translation>Letzte Antwort &amp;kopieren</translation>
    </message>
    <message>
        <source>&amp;Delete chat</source>
        <translation>Chat &amp;löschen</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Edit the last message</source>
        <translation>Letzte Nachricht &amp;bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Full screen</source>
        <translation>&amp;Vollbild</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Import a chat…</source>
        <translation>Chat &amp;importieren…</translation>
    </message>
    <message>
        <source>&amp;Jump to the latest</source>
        <translation>Zum Neuesten &amp;springen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Later version</source>
        <translation>S&amp;pätere Version</translation>
    </message>
    <message>
        <source>&amp;Live panel</source>
        <translation>&amp;Messwerte</translation>
    </message>
    <message>
        <source>&amp;New chat</source>
        <translation>&amp;Neuer Chat</translation>
    </message>
    <message>
        <source>&amp;Open a model file…</source>
        <translation>Modelldatei &amp;öffnen…</translation>
    </message>
    <message>
        <source>&amp;Plain</source>
        <translation>&amp;Einfach</translation>
    </message>
    <message>
        <source>&amp;Previous chat</source>
        <translation>&amp;Voriger Chat</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Regenerate the reply</source>
        <translation>Antwort neu &amp;schreiben lassen</translation>
    </message>
    <message>
        <source>&amp;Rename chat</source>
        <translation>Chat &amp;umbenennen</translation>
    </message>
    <message>
        <source>&amp;Search chats</source>
        <translation>Chats durch&amp;suchen</translation>
    </message>
    <message>
        <source>&amp;Smaller text</source>
        <translation>&amp;Kleinere Schrift</translation>
    </message>
    <message>
        <source>&amp;Speculative</source>
        <translation>&amp;Spekulativ</translation>
    </message>
    <message>
        <source>&amp;Speed</source>
        <translation>&amp;Tempo</translation>
    </message>
    <message>
        <source>&amp;Stop the reply</source>
        <translation>Antwort an&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Tune γ for this computer</source>
        <translation>γ für diesen Computer &amp;abstimmen</translation>
    </message>
    <message>
        <source>&amp;Undo delete</source>
        <translation>Löschen &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>&amp;Usual text size</source>
        <translation>&amp;Übliche Schriftgröße</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>Begin a new line</source>
        <translation>Neue Zeile beginnen</translation>
    </message>
    <message>
        <source>Bring back your last message, in an empty box</source>
        <translation>Die letzte eigene Nachricht zurückholen, wenn das Feld leer ist</translation>
    </message>
    <message>
        <source>C&amp;ontinue the reply</source>
        <translation>Antwort &amp;fortsetzen</translation>
    </message>
    <message>
        <source>Choose &amp;models</source>
        <translation>&amp;Modelle wählen</translation>
    </message>
    <message>
        <source>Choose γ &amp;anew for each reply (Auto)</source>
        <translation>γ für jede Antwort &amp;neu wählen (Auto)</translation>
    </message>
    <message>
        <source>Command &amp;palette</source>
        <translation>&amp;Befehlssuche</translation>
    </message>
    <message>
        <source>Cur&amp;ve of γ</source>
        <translation>&amp;Kurve von γ</translation>
    </message>
    <message>
        <source>Curve of γ</source>
        <translation>Kurve von γ</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>Dunkles Erscheinungsbild</translation>
    </message>
    <message>
        <source>Delete the chat; it can be undone</source>
        <translation>Den Chat löschen; das lässt sich rückgängig machen</translation>
    </message>
    <message>
        <source>Do&amp;wnloads</source>
        <translation>Do&amp;wnloads</translation>
    </message>
    <message>
        <source>Draft one token &amp;less (γ − 1)</source>
        <translation>Ein Token &amp;weniger entwerfen (γ − 1)</translation>
    </message>
    <message>
        <source>Draft one token &amp;more (γ + 1)</source>
        <translation>Ein Token &amp;mehr entwerfen (γ + 1)</translation>
    </message>
    <message>
        <source>Draft one token less</source>
        <translation>Ein Token weniger entwerfen</translation>
    </message>
    <message>
        <source>Draft one token more</source>
        <translation>Ein Token mehr entwerfen</translation>
    </message>
    <message>
        <source>Earlier &amp;version</source>
        <translation>Frühere &amp;Version</translation>
    </message>
    <message>
        <source>Export as JSON…</source>
        <translation>Als JSON exportieren…</translation>
    </message>
    <message>
        <source>Export as Markdown…</source>
        <translation>Als Markdown exportieren…</translation>
    </message>
    <message>
        <source>Go to the message above</source>
        <translation>Zur Nachricht darüber</translation>
    </message>
    <message>
        <source>Go to the message below</source>
        <translation>Zur Nachricht darunter</translation>
    </message>
    <message>
        <source>Go to the message box</source>
        <translation>Zum Nachrichtenfeld gehen</translation>
    </message>
    <message>
        <source>Go to the messages</source>
        <translation>Zu den Nachrichten</translation>
    </message>
    <message>
        <source>Larger &amp;text</source>
        <translation>&amp;Größere Schrift</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>Helles Erscheinungsbild</translation>
    </message>
    <message>
        <source>List of chats</source>
        <translation>Liste der Chats</translation>
    </message>
    <message>
        <source>Message box</source>
        <translation>Nachrichtenfeld</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Models that suit this computer</source>
        <translation>Modelle, die zu diesem Rechner passen</translation>
    </message>
    <message>
        <source>Ne&amp;xt chat</source>
        <translation>Nä&amp;chster Chat</translation>
    </message>
    <message>
        <source>Next area</source>
        <translation>Nächster Bereich</translation>
    </message>
    <message>
        <source>Open the chat</source>
        <translation>Den Chat öffnen</translation>
    </message>
    <message>
        <source>Previous area</source>
        <translation>Voriger Bereich</translation>
    </message>
    <message>
        <source>Reload the models</source>
        <translation>Modelle neu laden</translation>
    </message>
    <message>
        <source>Reply with tinted words</source>
        <translation>Antwort mit eingefärbten Wörtern</translation>
    </message>
    <message>
        <source>Se&amp;ttings</source>
        <translation>&amp;Einstellungen</translation>
    </message>
    <message>
        <source>Search the Hub for models</source>
        <translation>Modelle auf dem Hub suchen</translation>
    </message>
    <message>
        <source>See what decided about the next token</source>
        <translation>Sehen, was über das nächste Token entschied</translation>
    </message>
    <message>
        <source>See what decided about the token before</source>
        <translation>Sehen, was über das vorige Token entschied</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Die Nachricht senden</translation>
    </message>
    <message>
        <source>Show where &amp;words came from</source>
        <translation>Herkunft der &amp;Wörter zeigen</translation>
    </message>
    <message>
        <source>Stop tun&amp;ing</source>
        <translation>Abstimmung been&amp;den</translation>
    </message>
    <message>
        <source>System prompt and settings of this chat</source>
        <translation>Systemanweisung und Einstellungen dieses Chats</translation>
    </message>
    <message>
        <source>Theme like the system</source>
        <translation>Erscheinungsbild wie das System</translation>
    </message>
    <message>
        <source>Tune γ &amp;quickly</source>
        <translation>γ schnel&amp;l abstimmen</translation>
    </message>
    <message>
        <source>Use the γ found &amp;best here</source>
        <translation>Das hier &amp;beste γ verwenden</translation>
    </message>
    <message>
        <source>What touches the &amp;network</source>
        <translation>Was das &amp;Netz berührt</translation>
    </message>
    <message>
        <source>next reply page</source>
        <translation>nächste Antwort blättern</translation>
    </message>
    <message>
        <source>previous reply page</source>
        <translation>vorige vorherige Antwort blättern</translation>
    </message>
    <message>
        <source>tint colour color highlight</source>
        <translation>Farbe einfärben färben Herkunft markieren</translation>
    </message>
</context>
<context>
    <name>Board</name>
    <message>
        <source>{why} It is being loaded again.</source>
        <translation>{why} Es wird neu geladen.</translation>
    </message>
</context>
<context>
    <name>CardBar</name>
    <message>
        <source>Close this message</source>
        <translation>Diese Meldung schließen</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Force stop</source>
        <translation>Anhalten erzwingen</translation>
    </message>
    <message>
        <source>Open another file…</source>
        <translation>Andere Datei öffnen…</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
</context>
<context>
    <name>Catalogue</name>
    <message>
        <source>A good all-rounder for 16 GB, or for a graphics processor with 8 GB. The draft costs little beside it, so even a middling guess pays.</source>
        <translation>Ein guter Alleskönner für 16 GB oder für einen Grafikprozessor mit 8 GB. Das Entwurfsmodell kostet daneben wenig, so lohnt sich schon mittelmäßiges Raten.</translation>
    </message>
    <message>
        <source>A large all-rounder for a graphics processor with 24 GB. The draft costs almost nothing beside it.</source>
        <translation>Ein großer Alleskönner für einen Grafikprozessor mit 24 GB. Das Entwurfsmodell kostet daneben fast nichts.</translation>
    </message>
    <message>
        <source>A small all-rounder for 8 GB and less. The draft is a third of the target, so drafting gains little, and on a processor it may cost time.</source>
        <translation>Ein kleines Allzweckmodell für 8 GB und weniger. Das Entwurfsmodell ist ein Drittel des Zielmodells, so gewinnt Entwerfen wenig, und auf einem Prozessor kostet es vielleicht Zeit.</translation>
    </message>
    <message>
        <source>A step up in code for machines with 8 GB. Expect a small gain on a processor, and more on a graphics processor.</source>
        <translation>Besserer Code für Rechner mit 8 GB. Auf einem Prozessor ist ein kleiner Gewinn zu erwarten, auf einem Grafikprozessor mehr.</translation>
    </message>
    <message>
        <source>An all-rounder for machines with 8 GB. Expect a small gain on a processor, and more on a graphics processor.</source>
        <translation>Ein Allzweckmodell für Rechner mit 8 GB. Auf einem Prozessor ist ein kleiner Gewinn zu erwarten, auf einem Grafikprozessor mehr.</translation>
    </message>
    <message>
        <source>Answers at once, without thinking aloud, while its draft was made to think: expect fewer drafted tokens to be accepted than within one release.</source>
        <translation>Antwortet sofort, ohne laut nachzudenken, während sein Entwurfsmodell zum Nachdenken gemacht wurde: Es werden weniger Token angenommen als innerhalb einer Ausgabe.</translation>
    </message>
    <message>
        <source>Fine writing in many languages, for 16 GB and up or a graphics processor with 12 GB. The draft is a twelfth of the target.</source>
        <translation>Schreibt schön in vielen Sprachen, ab 16 GB oder mit einem Grafikprozessor mit 12 GB. Das Entwurfsmodell ist ein Zwölftel des Zielmodells.</translation>
    </message>
    <message>
        <source>For a graphics processor with 12 GB, or 32 GB of memory and patience. A thirtieth of the target drafts: nearly every accepted token is a gain.</source>
        <translation>Für einen Grafikprozessor mit 12 GB, oder 32 GB Speicher und Geduld. Ein Dreißigstel des Zielmodells entwirft: Fast jedes angenommene Token ist ein Gewinn.</translation>
    </message>
    <message>
        <source>For small and old machines. The draft is tiny, so drafting costs next to nothing; it also guesses less well than larger drafts.</source>
        <translation>Für kleine und alte Rechner. Das Entwurfsmodell ist winzig, das Entwerfen kostet also kaum etwas; es rät auch schlechter als größere.</translation>
    </message>
    <message>
        <source>For workstations: 48 GB of graphics memory, or 64 GB of a unified one. Each pass over the target is dear, so every accepted token counts.</source>
        <translation>Für Workstations: 48 GB Grafikspeicher oder 64 GB gemeinsamer Speicher. Jeder Durchgang des Zielmodells ist teuer, also zählt jedes angenommene Token.</translation>
    </message>
    <message>
        <source>Long trains of thought, much of them predictable. The draft is a quarter of the target: it pays where several tokens at once cost little more than one.</source>
        <translation>Lange Gedankengänge, vieles davon vorhersehbar. Das Entwurfsmodell ist ein Viertel des Zielmodells: Es lohnt sich, wo mehrere Token auf einmal kaum mehr kosten als eines.</translation>
    </message>
    <message>
        <source>Reasoning for a graphics processor with 12 GB. Long replies, a draft of the same training, an eighth of the target&apos;s size.</source>
        <translation>Schlussfolgern für einen Grafikprozessor mit 12 GB. Lange Antworten, ein gleich trainiertes Entwurfsmodell von einem Achtel der Größe.</translation>
    </message>
    <message>
        <source>Serious code for a graphics processor with 12 GB. Drafting pays well: code is predictable and the draft is a thirtieth of the target.</source>
        <translation>Ernsthafter Code für einen Grafikprozessor mit 12 GB. Entwerfen lohnt sich sehr: Code ist vorhersehbar, und das Entwurfsmodell ist ein Dreißigstel des Zielmodells.</translation>
    </message>
    <message>
        <source>The best code here, for a graphics processor with 24 GB. Where drafting gains most: predictable text and a draft of a sixty-sixth of the target.</source>
        <translation>Der beste Code hier, für einen Grafikprozessor mit 24 GB. Hier gewinnt Entwerfen am meisten: vorhersehbarer Text und ein Entwurfsmodell von einem Sechsundsechzigstel des Zielmodells.</translation>
    </message>
    <message>
        <source>The family&apos;s best writing, for a graphics processor with 24 GB or a large unified memory. The draft is a twenty-seventh of the target.</source>
        <translation>Das Beste dieser Familie, für einen Grafikprozessor mit 24 GB oder einen großen gemeinsamen Speicher. Das Entwurfsmodell ist ein Siebenundzwanzigstel des Zielmodells.</translation>
    </message>
    <message>
        <source>The most capable thinking here that one graphics processor with 24 GB holds. The draft costs almost nothing beside it.</source>
        <translation>Das fähigste Nachdenken hier, das ein Grafikprozessor mit 24 GB fasst. Das Entwurfsmodell kostet daneben fast nichts.</translation>
    </message>
    <message>
        <source>The pair for code on an ordinary computer with 16 GB. The draft guesses code well and costs little.</source>
        <translation>Das Paar für Code auf einem gewöhnlichen Rechner mit 16 GB. Das Entwurfsmodell rät Code gut und kostet wenig.</translation>
    </message>
    <message>
        <source>The same target with a draft that guesses better and costs three times as much. Worth trying on a graphics processor.</source>
        <translation>Dasselbe Zielmodell mit einem Entwurfsmodell, das besser rät und dreimal so viel kostet. Auf einem Grafikprozessor einen Versuch wert.</translation>
    </message>
    <message>
        <source>The same target with the smallest draft of its family: a few of its guesses are enough to pay for it.</source>
        <translation>Dasselbe Zielmodell mit dem kleinsten Entwurfsmodell seiner Familie: Wenige Treffer genügen, damit es sich lohnt.</translation>
    </message>
    <message>
        <source>The starter pair: quick to fetch, and code is easy to draft. The draft is a third of the target, so drafting gains little, and on a processor it often costs time.</source>
        <translation>Das Startpaar: schnell geladen, und Code ist leicht zu entwerfen. Das Entwurfsmodell ist ein Drittel des Zielmodells, so gewinnt Entwerfen wenig, und auf einem Prozessor kostet es oft Zeit.</translation>
    </message>
    <message>
        <source>Thinks before it answers, and does more with it than the 4B. Long replies are where drafting gains most.</source>
        <translation>Denkt nach, bevor es antwortet, und macht mehr daraus als das 4B. Bei langen Antworten gewinnt Entwerfen am meisten.</translation>
    </message>
    <message>
        <source>Thinks before it answers, which makes long replies, where drafting has time to pay. The gain is moderate: the draft is a seventh of the target.</source>
        <translation>Denkt nach, bevor es antwortet; das gibt lange Antworten, in denen Entwerfen Zeit hat, sich zu lohnen. Der Gewinn ist mäßig: Das Entwurfsmodell ist ein Siebtel des Zielmodells.</translation>
    </message>
    <message>
        <source>Thinks thoroughly, for a graphics processor with 12 GB. The draft is a twenty-fifth of the target.</source>
        <translation>Denkt gründlich nach, für einen Grafikprozessor mit 12 GB. Das Entwurfsmodell ist ein Fünfundzwanzigstel des Zielmodells.</translation>
    </message>
    <message>
        <source>Widely known and even-handed. The draft guesses well but is a sixth of the target, so the gain is moderate on a processor.</source>
        <translation>Weithin bekannt und ausgewogen. Das Entwurfsmodell rät gut, ist aber ein Sechstel des Zielmodells, so ist der Gewinn auf einem Prozessor mäßig.</translation>
    </message>
    <message>
        <source>Writes naturally in many languages, and fits 8 GB. The draft is very small: cheap to ask, right less often than larger ones.</source>
        <translation>Schreibt natürlich in vielen Sprachen und passt in 8 GB. Das Entwurfsmodell ist sehr klein: billig zu fragen, seltener im Recht als größere.</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>As in the settings: {value}</source>
        <translation>Wie in den Einstellungen: {value}</translation>
    </message>
    <message>
        <source>REPLIES</source>
        <translation>ANTWORTEN</translation>
    </message>
    <message>
        <source>SYSTEM PROMPT</source>
        <translation>SYSTEMANWEISUNG</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>What you change here holds in this chat alone, from the next message.</source>
        <translation>Was Sie hier ändern, gilt nur in diesem Chat, ab der nächsten Nachricht.</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>A reply is being written. Esc stops it.</source>
        <translation>Eine Antwort wird geschrieben. Esc hält sie an.</translation>
    </message>
    <message>
        <source>Choose a model first: press its name above.</source>
        <translation>Wählen Sie zuerst ein Modell: ein Klick auf den Namen oben genügt.</translation>
    </message>
    <message>
        <source>Reading the prompt: {percent} %</source>
        <translation>Eingabe wird gelesen: {percent} %</translation>
    </message>
    <message>
        <source>Reload the models to go on.</source>
        <translation>Laden Sie die Modelle neu, um weiterzumachen.</translation>
    </message>
    <message>
        <source>The comparison is finished</source>
        <translation>Der Vergleich ist fertig</translation>
    </message>
    <message>
        <source>The models are being loaded.</source>
        <translation>Die Modelle werden geladen.</translation>
    </message>
    <message>
        <source>The reply is finished</source>
        <translation>Die Antwort ist fertig</translation>
    </message>
    <message>
        <source>There is nothing to compare without a draft: {reason}.</source>
        <translation>Ohne Entwurf gibt es nichts zu vergleichen: {reason}.</translation>
    </message>
    <message>
        <source>γ is being measured. Esc ends it.</source>
        <translation>γ wird gemessen. Esc beendet es.</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>1 character</source>
        <translation>1 Zeichen</translation>
    </message>
    <message>
        <source>Attachment {name}, {size}</source>
        <translation>Anhang {name}, {size}</translation>
    </message>
    <message>
        <source>Look into it</source>
        <translation>Hineinsehen</translation>
    </message>
    <message>
        <source>Take {name} off the message</source>
        <translation>{name} aus der Nachricht nehmen</translation>
    </message>
    <message>
        <source>{n} characters</source>
        <translation>{n} Zeichen</translation>
    </message>
    <message>
        <source>{n} lines</source>
        <translation>{n} Zeilen</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Show {n} more</source>
        <translation>{n} weitere zeigen</translation>
    </message>
</context>
<context>
    <name>Choices</name>
    <message>
        <source>The settings cannot be saved ({reason}). They hold until you quit.</source>
        <translation>Die Einstellungen lassen sich nicht speichern ({reason}). Sie gelten, bis Sie Foreword beenden.</translation>
    </message>
</context>
<context>
    <name>Chooser</name>
    <message>
        <source>All models</source>
        <translation>Alle Modelle</translation>
    </message>
    <message>
        <source>Choose the models</source>
        <translation>Modelle wählen</translation>
    </message>
    <message>
        <source>DRAFT</source>
        <translation>ENTWURFSMODELL</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>Fetch it ({size})</source>
        <translation>Laden ({size})</translation>
    </message>
    <message>
        <source>Filter the models</source>
        <translation>Modelle filtern</translation>
    </message>
    <message>
        <source>In use</source>
        <translation>In Gebrauch</translation>
    </message>
    <message>
        <source>Looking who may draft for it …</source>
        <translation>Es wird nachgesehen, wer dafür entwerfen darf …</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>Es wird nachgesehen …</translation>
    </message>
    <message>
        <source>No draft</source>
        <translation>Kein Entwurfsmodell</translation>
    </message>
    <message>
        <source>TARGET</source>
        <translation>ZIELMODELL</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>The draft that goes with this target</source>
        <translation>Das Entwurfsmodell, das dazu passt</translation>
    </message>
    <message>
        <source>The target writes alone, token by token</source>
        <translation>Das Zielmodell schreibt allein, Token für Token</translation>
    </message>
    <message>
        <source>There is no model here yet.</source>
        <translation>Hier ist noch kein Modell.</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Entladen</translation>
    </message>
    <message>
        <source>Use it without a draft</source>
        <translation>Ohne Entwurfsmodell verwenden</translation>
    </message>
    <message>
        <source>Use these</source>
        <translation>Diese verwenden</translation>
    </message>
</context>
<context>
    <name>CodeBlock</name>
    <message>
        <source>Code, {language}</source>
        <translation>Code, {language}</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
</context>
<context>
    <name>Compare</name>
    <message>
        <source>Both are counted for {tokens}.</source>
        <translation>Beide sind auf {tokens} gerechnet.</translation>
    </message>
    <message>
        <source>Both lanes compute so that passes of any width round alike: dearer by about a third, and then the words are the same. A second copy of the pair is loaded for it; γ is 5 at the most.</source>
        <translation>Beide Spuren rechnen so, dass Durchgänge jeder Breite gleich runden: etwa um ein Drittel teurer, dafür sind die Wörter dieselben. Dazu wird das Paar ein zweites Mal geladen; γ ist höchstens 5.</translation>
    </message>
    <message>
        <source>Both lanes read the prompt first.</source>
        <translation>Beide Spuren lesen zuerst die Eingabe.</translation>
    </message>
    <message>
        <source>Both lanes wrote the same {tokens}.</source>
        <translation>Beide Spuren schrieben dasselbe: {tokens}.</translation>
    </message>
    <message>
        <source>Exact arithmetic</source>
        <translation>Exaktes Rechnen</translation>
    </message>
    <message>
        <source>Exact arithmetic was on, but here the kernels still round differently.</source>
        <translation>Exaktes Rechnen war eingeschaltet, doch hier runden die Rechenkerne trotzdem verschieden.</translation>
    </message>
    <message>
        <source>Go on with this reply</source>
        <translation>Mit dieser Antwort weitermachen</translation>
    </message>
    <message>
        <source>How many tokens the speculative lane drafts in each round.</source>
        <translation>Wie viele Token die spekulative Spur in jeder Runde entwirft.</translation>
    </message>
    <message>
        <source>It was stopped before a word was written.</source>
        <translation>Angehalten, bevor ein Wort geschrieben war.</translation>
    </message>
    <message>
        <source>It was stopped before both lanes wrote: there is nothing to compare.</source>
        <translation>Angehalten, bevor beide Spuren schrieben: Es gibt nichts zu vergleichen.</translation>
    </message>
    <message>
        <source>It was stopped before that place could be looked at.</source>
        <translation>Es wurde angehalten, bevor sich diese Stelle ansehen ließ.</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Keep the reply: {lane}</source>
        <translation>Die Antwort behalten: {lane}</translation>
    </message>
    <message>
        <source>Loading the pair once more for exact arithmetic: {percent}.</source>
        <translation>Das Paar wird für exaktes Rechnen ein zweites Mal geladen: {percent}.</translation>
    </message>
    <message>
        <source>Passes of different width round a little differently, and that tipped it. Neither is less right.</source>
        <translation>Verschieden breite Durchgänge runden ein wenig verschieden, und das gab den Ausschlag. Keine Antwort ist weniger richtig.</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>Noch einmal</translation>
    </message>
    <message>
        <source>Run again with exact arithmetic</source>
        <translation>Noch einmal mit exaktem Rechnen</translation>
    </message>
    <message>
        <source>Run again with γ {gamma}</source>
        <translation>Noch einmal mit γ {gamma}</translation>
    </message>
    <message>
        <source>Speculative</source>
        <translation>Spekulativ</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Hält an …</translation>
    </message>
    <message>
        <source>The chat’s lane knew a part of the prompt already, and only the plain one read it; that is not counted as saved.</source>
        <translation>Die Spur des Chats kannte einen Teil der Eingabe schon, und nur die einfache las ihn; das zählt nicht als gespart.</translation>
    </message>
    <message>
        <source>The lanes take turns, each at about half its true pace; every clock runs only while its own lane computes.</source>
        <translation>Die Spuren wechseln sich ab, jede kommt etwa halb so schnell voran wie allein; jede Uhr läuft nur, während ihre Spur rechnet.</translation>
    </message>
    <message>
        <source>The same as far as both go: {tokens}.</source>
        <translation>Dasselbe, so weit beide reichen: {tokens}.</translation>
    </message>
    <message>
        <source>The target gave them {first} and {second}, and the draw fell just between them.</source>
        <translation>Das Zielmodell gab ihnen {first} und {second}, und das Los fiel genau dazwischen.</translation>
    </message>
    <message>
        <source>The target gave them {first} and {second}: as good as a tie.</source>
        <translation>Das Zielmodell gab ihnen {first} und {second}: so gut wie gleich.</translation>
    </message>
    <message>
        <source>The target gave them {first} and {second}: close.</source>
        <translation>Das Zielmodell gab ihnen {first} und {second}: knapp.</translation>
    </message>
    <message>
        <source>The target read more of the prompt when drafting; that is not counted.</source>
        <translation>Das Zielmodell las beim Entwerfen mehr von der Eingabe; das zählt nicht mit.</translation>
    </message>
    <message>
        <source>They part after the same {tokens}.</source>
        <translation>Bis hierhin gleich: {tokens}; dann trennen sie sich.</translation>
    </message>
    <message>
        <source>They part at token {place}: drafting goes on with {first}, plain with {second}.</source>
        <translation>Sie trennen sich bei Token {place}: mit Entwurf geht es mit {first} weiter, ohne mit {second}.</translation>
    </message>
    <message>
        <source>Too short to judge drafting by: that takes {tokens} in each lane.</source>
        <translation>Zu kurz, um das Entwerfen danach zu beurteilen: Dazu braucht es {tokens} in jeder Spur.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>What both lanes wrote so far stays above.</source>
        <translation>Was beide Spuren bisher schrieben, bleibt oben stehen.</translation>
    </message>
    <message>
        <source>Write a message below. One column drafts, the other is plain; at the end you see which was faster, by how much, and whether the words are the same.</source>
        <translation>Schreiben Sie unten eine Nachricht. Eine Spalte entwirft voraus, die andere nicht; am Ende sehen Sie, welche schneller war, um wie viel, und ob die Wörter dieselben sind.</translation>
    </message>
    <message>
        <source>of the prompt read</source>
        <translation>der Eingabe gelesen</translation>
    </message>
    <message>
        <source>the end of the reply</source>
        <translation>das Ende der Antwort</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>{lane}: {reading} for the prompt, {writing} for writing.</source>
        <translation>{lane}: {reading} für die Eingabe, {writing} fürs Schreiben.</translation>
    </message>
    <message>
        <source>{name} stood at the edge of what sampling lets through: one lane had it among its candidates, the other did not.</source>
        <translation>{name} stand am Rand dessen, was die Auswahl durchlässt: Die eine Spur hatte es unter ihren Kandidaten, die andere nicht.</translation>
    </message>
    <message>
        <source>γ, tokens drafted in a round</source>
        <translation>γ, je Runde entworfene Token</translation>
    </message>
    <message>
        <source>“{text}”</source>
        <translation>„{text}“</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>A reply is being written. Esc stops it.</source>
        <translation>Eine Antwort wird geschrieben. Esc hält sie an.</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach the text of files</source>
        <translation>Den Text von Dateien anhängen</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>Eingefügter Text</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Hält an…</translation>
    </message>
    <message>
        <source>{name} cannot be read.</source>
        <translation>{name} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>{name} is larger than 4 MB.</source>
        <translation>{name} ist größer als 4 MB.</translation>
    </message>
    <message>
        <source>{name} is not a file.</source>
        <translation>{name} ist keine Datei.</translation>
    </message>
    <message>
        <source>{name} is not a text file.</source>
        <translation>{name} ist keine Textdatei.</translation>
    </message>
</context>
<context>
    <name>Conversations</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>“{title}” is deleted.</source>
        <translation>„{title}“ ist gelöscht.</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>Diesen Code kopieren</translation>
    </message>
</context>
<context>
    <name>Editor</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Files go with a new message: drop them on the box for it.</source>
        <translation>Dateien gehen mit einer neuen Nachricht mit: Legen Sie sie auf deren Feld ab.</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>That is too long to be put in here. Paste it into the box for a new message.</source>
        <translation>Das ist zu lang, um hier eingefügt zu werden. Fügen Sie es in das Feld für eine neue Nachricht ein.</translation>
    </message>
    <message>
        <source>This can be sent once a model is loaded and no reply is being written.</source>
        <translation>Das lässt sich senden, sobald ein Modell geladen ist und keine Antwort geschrieben wird.</translation>
    </message>
    <message>
        <source>Your message</source>
        <translation>Ihre Nachricht</translation>
    </message>
</context>
<context>
    <name>Edits</name>
    <message>
        <source>The last message is being answered both ways.</source>
        <translation>Die letzte Nachricht wird auf beide Arten beantwortet.</translation>
    </message>
    <message>
        <source>The message is being answered.</source>
        <translation>Die Nachricht wird beantwortet.</translation>
    </message>
    <message>
        <source>The message is deleted.</source>
        <translation>Die Nachricht ist gelöscht.</translation>
    </message>
    <message>
        <source>The message was changed.</source>
        <translation>Die Nachricht wurde geändert.</translation>
    </message>
    <message>
        <source>The reply is being written anew.</source>
        <translation>Die Antwort wird neu geschrieben.</translation>
    </message>
    <message>
        <source>The reply was changed.</source>
        <translation>Die Antwort wurde geändert.</translation>
    </message>
    <message>
        <source>This version of the reply is deleted.</source>
        <translation>Diese Version der Antwort ist gelöscht.</translation>
    </message>
</context>
<context>
    <name>Errors</name>
    <message>
        <source>Conversations cannot be saved in {path} ({reason}). What you write now is kept only until the window closes: export what you need.</source>
        <translation>Gespräche lassen sich in {path} nicht speichern ({reason}). Was Sie jetzt schreiben, bleibt nur, bis sich das Fenster schließt: Exportieren Sie, was Sie brauchen.</translation>
    </message>
    <message>
        <source>Foreword is not whole: {folder} lacks what computes. Install Foreword again.</source>
        <translation>Foreword ist nicht vollständig: In {folder} fehlt, was rechnet. Installieren Sie Foreword neu.</translation>
    </message>
    <message>
        <source>Loading was cancelled. Nothing is loaded now.</source>
        <translation>Das Laden wurde abgebrochen. Es ist nichts geladen.</translation>
    </message>
    <message>
        <source>No model here is called {name}. `foreword models list` shows the names; any other file is named by its path.</source>
        <translation>Hier heißt kein Modell {name}. `foreword models list` zeigt die Namen; jede andere Datei nennt man mit ihrem Pfad.</translation>
    </message>
    <message>
        <source>No model is loaded yet. Load a target first.</source>
        <translation>Noch ist kein Modell geladen. Laden Sie zuerst ein Zielmodell.</translation>
    </message>
    <message>
        <source>Something went wrong.</source>
        <translation>Etwas ist schiefgegangen.</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>Angehalten.</translation>
    </message>
    <message>
        <source>The Hub does not know the access token from {source}. Make a new one at {page} and give Foreword that, or remove the old one.</source>
        <translation>Der Hub kennt das Zugangs-Token aus {source} nicht. Erstellen Sie unter {page} ein neues, und geben Sie Foreword dieses, oder entfernen Sie das alte.</translation>
    </message>
    <message>
        <source>The Hub has no {what}. Check the name; if it is private, give Foreword an access token that may read it.</source>
        <translation>Der Hub kennt das nicht: {what}. Prüfen Sie den Namen; ist es privat, geben Sie Foreword ein Zugangs-Token, das es lesen darf.</translation>
    </message>
    <message>
        <source>The Hub publishes no checksum of {name}, so what came could not be checked. It was not downloaded. Choose another file, or another repository.</source>
        <translation>Der Hub veröffentlicht keine Prüfsumme von {name}, also ließe sich nicht prüfen, was käme. Die Datei wurde nicht heruntergeladen. Wählen Sie eine andere Datei oder ein anderes Repository.</translation>
    </message>
    <message>
        <source>The access token in {place} cannot be changed ({reason}). Make that writable, or set HF_TOKEN instead.</source>
        <translation>Das Zugangs-Token in {place} lässt sich nicht ändern ({reason}). Machen Sie den Ort beschreibbar, oder setzen Sie stattdessen HF_TOKEN.</translation>
    </message>
    <message>
        <source>The conversations file was written by a newer version of Foreword. It was set aside as {aside}, and an empty list was begun. To have it back, export what you write meanwhile, close Foreword, update it, and rename that file to {path}.</source>
        <translation>Die Datei mit den Gesprächen stammt von einer neueren Version von Foreword. Sie wurde als {aside} beiseitegelegt und eine leere Liste begonnen. Um sie zurückzubekommen, exportieren Sie, was Sie inzwischen schreiben, beenden Sie Foreword, aktualisieren Sie es und benennen Sie diese Datei in {path} um.</translation>
    </message>
    <message>
        <source>The conversations file {reason}. It was set aside as {aside}, and an empty list was begun. If you have a backup, close Foreword and put it at {path}.</source>
        <translation>Die Datei mit den Gesprächen: {reason}. Sie wurde als {aside} beiseitegelegt und eine leere Liste begonnen. Wenn Sie eine Sicherung haben, beenden Sie Foreword und legen Sie sie nach {path}.</translation>
    </message>
    <message>
        <source>The conversations in {path} cannot be read ({reason}). Start Foreword again: it checks the file, and sets it aside if it is damaged.</source>
        <translation>Die Gespräche in {path} lassen sich nicht lesen ({reason}). Starten Sie Foreword neu: Es prüft die Datei und legt sie beiseite, wenn sie beschädigt ist.</translation>
    </message>
    <message>
        <source>The disk of {folder} cannot hold a file this large, however much is free on it. Choose a folder on another disk.</source>
        <translation>Der Datenträger von {folder} kann keine so große Datei aufnehmen, wie viel auch frei ist. Wählen Sie einen Ordner auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>The download was cancelled. What came so far is kept and used next time.</source>
        <translation>Der Download wurde abgebrochen. Was schon da ist, wird behalten und beim nächsten Mal verwendet.</translation>
    </message>
    <message>
        <source>The engine is still busy with another request. Stop it first, or wait.</source>
        <translation>Der Modellprozess ist noch mit einer anderen Anfrage beschäftigt. Halten Sie sie erst an, oder warten Sie.</translation>
    </message>
    <message>
        <source>The engine stopped: {reason}. What was written until then is kept.</source>
        <translation>Der Modellprozess ist ausgefallen: {reason}. Was bis dahin geschrieben war, ist erhalten.</translation>
    </message>
    <message>
        <source>The prompt is {tokens:,} tokens long and the context holds {limit:,}. Shorten it, or choose a larger context.</source>
        <translation>Die Eingabe ist {tokens} Token lang, der Kontext fasst {limit}. Kürzen Sie sie, oder wählen Sie einen größeren Kontext.</translation>
    </message>
    <message>
        <source>The proxy in the environment cannot be used ({reason}). Correct HTTPS_PROXY, HTTP_PROXY or ALL_PROXY: http://HOST:PORT is what works.</source>
        <translation>Der Proxy aus der Umgebung ist nicht zu gebrauchen ({reason}). Berichtigen Sie HTTPS_PROXY, HTTP_PROXY oder ALL_PROXY: http://HOST:PORT funktioniert.</translation>
    </message>
    <message>
        <source>The recast copy of {path} returned no usable numbers: it was damaged on the disk. Load the models again; the copy is made anew.</source>
        <translation>Die neu gerundete Kopie von {path} lieferte keine brauchbaren Zahlen: Sie wurde auf dem Datenträger beschädigt. Laden Sie die Modelle noch einmal; die Kopie wird neu angelegt.</translation>
    </message>
    <message>
        <source>The timings vary by {percent} % just now: something else is computing, so γ was not chosen. Close what else runs, and tune again.</source>
        <translation>Die Zeiten schwanken gerade um {percent} %: Etwas anderes rechnet mit, darum wurde kein γ gewählt. Schließen Sie, was sonst läuft, und stimmen Sie noch einmal ab.</translation>
    </message>
    <message>
        <source>What is typed and not sent cannot be saved in {path} ({reason}): it is kept only until the window closes.</source>
        <translation>Was getippt und nicht gesendet ist, kann in {path} nicht gespeichert werden ({reason}): Es bleibt nur, bis das Fenster geschlossen wird.</translation>
    </message>
    <message>
        <source>What the Hub has as {name} is another file than the one that was asked for ({reason}). It was not downloaded. To have what is there now, search the Hub for {repo}.</source>
        <translation>Was der Hub als {name} hat, ist eine andere Datei als die gewünschte ({reason}). Sie wurde nicht heruntergeladen. Um zu bekommen, was jetzt dort liegt, suchen Sie im Hub nach {repo}.</translation>
    </message>
    <message>
        <source>With a context of {n_ctx:,} tokens {name} needs {need} of memory, and {free} are free. Choose a context of {fits:,} tokens, or close other programs.</source>
        <translation>Mit einem Kontext von {n_ctx:,} Token braucht {name} {need} Speicher, und {free} sind frei. Wählen Sie einen Kontext von {fits:,} Token oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>llama.cpp failed while computing (code {status}). Try again; load the model anew if it recurs.</source>
        <translation>llama.cpp scheiterte beim Rechnen (Code {status}). Versuchen Sie es noch einmal; laden Sie das Modell neu, wenn es wieder geschieht.</translation>
    </message>
    <message>
        <source>{folder} cannot be written to ({reason}). Choose another models folder in the settings, or with FOREWORD_MODELS.</source>
        <translation>In {folder} lässt sich nicht schreiben ({reason}). Wählen Sie in den Einstellungen oder mit FOREWORD_MODELS einen anderen Modellordner.</translation>
    </message>
    <message>
        <source>{host} cannot be reached ({reason}). Check that this computer is online, and your proxy and HF_ENDPOINT if you have set them.</source>
        <translation>{host} ist nicht zu erreichen ({reason}). Prüfen Sie, ob dieser Rechner online ist, und gegebenenfalls Ihren Proxy und HF_ENDPOINT.</translation>
    </message>
    <message>
        <source>{name} needs {need} of memory, and {free} are free. Choose a smaller model, or close other programs.</source>
        <translation>{name} braucht {need} Speicher, und {free} sind frei. Wählen Sie ein kleineres Modell oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>{path} (the {role}) returned no usable numbers. The file is probably damaged: download it again.</source>
        <translation>{path} ({role}) lieferte keine brauchbaren Zahlen. Die Datei ist vermutlich beschädigt: Laden Sie sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>{path} cannot be loaded: {reason}.</source>
        <translation>{path} kann nicht geladen werden: {reason}.</translation>
    </message>
    <message>
        <source>{path} cannot be looked into: memory ran out. Close other programs and look again.</source>
        <translation>In {path} lässt sich nicht hineinsehen: Der Speicher ging aus. Schließen Sie andere Programme und sehen Sie noch einmal nach.</translation>
    </message>
    <message>
        <source>{path} is another file than the one to fetch, and stays as it is. Rename, move or remove it, or choose another models folder in the settings, or with FOREWORD_MODELS.</source>
        <translation>{path} ist eine andere Datei als die zu ladende und bleibt, wie sie ist. Benennen Sie sie um, verschieben oder entfernen Sie sie, oder wählen Sie in den Einstellungen oder mit FOREWORD_MODELS einen anderen Modellordner.</translation>
    </message>
    <message>
        <source>{path} is not whole yet: part {number} of {count} is still to come. Let its download go on, or cancel it.</source>
        <translation>{path} ist noch nicht ganz: Teil {number} von {count} kommt noch. Lassen Sie den Download weiterlaufen, oder brechen Sie ihn ab.</translation>
    </message>
    <message>
        <source>{path} is part {number} of {count} of a split model, and its name does not say so. Give it the name it was published under, beside the other parts.</source>
        <translation>{path} ist Teil {number} von {count} eines aufgeteilten Modells, und der Name sagt es nicht. Geben Sie der Datei den Namen, unter dem sie veröffentlicht wurde, neben den anderen Teilen.</translation>
    </message>
    <message>
        <source>{path}, {place}: {reason}. A row is {{id, kind, messages}}.</source>
        <translation>{path}, {place}: {reason}. Eine Zeile ist {{id, kind, messages}}.</translation>
    </message>
    <message>
        <source>{repo} has no {wanted}. It has: {known}.</source>
        <translation>{repo} hat kein {wanted}. Vorhanden: {known}.</translation>
    </message>
    <message>
        <source>{repo} is given only to people who accepted its terms. Open {page}, accept them with your Hugging Face account, and give Foreword an access token of that account.</source>
        <translation>{repo} erhält nur, wer den Bedingungen zugestimmt hat. Öffnen Sie {page}, stimmen Sie dort mit Ihrem Konto bei Hugging Face zu, und geben Sie Foreword ein Zugangs-Token dieses Kontos.</translation>
    </message>
    <message>
        <source>{what} is nothing that can be fetched. Name a model that `foreword models search` lists, or a file on the Hugging Face Hub as owner/repository:Q4_K_M.</source>
        <translation>{what} ist nichts, was sich holen lässt. Nennen Sie ein Modell, das `foreword models search` aufzählt, oder eine Datei auf dem Hugging Face Hub als owner/repository:Q4_K_M.</translation>
    </message>
    <message>
        <source>The engine was sent a message it does not understand ({reason}).</source>
        <translation>Der Modellprozess bekam eine Nachricht, die er nicht versteht ({reason}).</translation>
    </message>
    <message>
        <source>Another window of Foreword has deleted or changed this. Undo it there, or open the chat again to see how it stands now.</source>
        <translation>Ein anderes Fenster von Foreword hat das gelöscht oder geändert. Machen Sie es dort rückgängig, oder öffnen Sie den Chat erneut, um zu sehen, wie er jetzt ist.</translation>
    </message>
    <message>
        <source>The Hub has been asked too often from here. Wait {seconds:,} seconds and try again.</source>
        <translation>Der Hub wurde von hier aus zu oft gefragt. Warten Sie {seconds:,} Sekunden, und versuchen Sie es dann noch einmal.</translation>
    </message>
    <message>
        <source>The Hub is out of order (it answers {status}). Try again later.</source>
        <translation>Der Hub ist gestört (er antwortet {status}). Versuchen Sie es später noch einmal.</translation>
    </message>
    <message>
        <source>The account of your access token may not have {repo} yet. Open {page} and accept its terms, or wait until its owner has let you in. A fine-grained token must also be allowed to read gated repositories.</source>
        <translation>Das Konto Ihres Zugangs-Tokens darf {repo} noch nicht haben. Öffnen Sie {page}, und stimmen Sie den Bedingungen zu, oder warten Sie, bis der Eigentümer Sie zugelassen hat. Ein fein abgestuftes Token muss außerdem zugangsbeschränkte Repositorys lesen dürfen.</translation>
    </message>
    <message>
        <source>There is no file at {path}. Check the spelling, or choose another file.</source>
        <translation>Unter {path} gibt es keine Datei. Prüfen Sie die Schreibweise, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>There is not enough memory for a context of {n_ctx:,} tokens. Choose a smaller context, or a smaller model.</source>
        <translation>Der Speicher reicht nicht für einen Kontext von {n_ctx} Token. Wählen Sie einen kleineren Kontext oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>This draft cannot serve this target: {reason}. Choose another draft, or chat without one.</source>
        <translation>Dieses Entwurfsmodell passt nicht zu diesem Zielmodell: {reason}. Wählen Sie ein anderes, oder chatten Sie ohne.</translation>
    </message>
    <message>
        <source>This file cannot be imported: {reason}. Choose a conversation that this version of Foreword exported as JSON.</source>
        <translation>Diese Datei lässt sich nicht importieren: {reason}. Wählen Sie ein Gespräch, das diese Version von Foreword als JSON exportiert hat.</translation>
    </message>
    <message>
        <source>This is no access token: one begins with hf_ and has no spaces. Copy it again from {page}.</source>
        <translation>Das ist kein Zugangs-Token: Eines beginnt mit hf_ und enthält keine Leerzeichen. Kopieren Sie es noch einmal von {page}.</translation>
    </message>
    <message>
        <source>This model&apos;s memory cannot be rewound. Turn speculation off for it.</source>
        <translation>Das Gedächtnis dieses Modells lässt sich nicht zurückspulen. Schalten Sie dafür die Spekulation aus.</translation>
    </message>
    <message>
        <source>This pair cannot be tuned: {reason}. Choose γ by hand.</source>
        <translation>Dieses Paar kann nicht abgestimmt werden: {reason}. Wählen Sie γ von Hand.</translation>
    </message>
    <message>
        <source>What {host} answered makes no sense ({reason}). If this network has a login page, open it in a browser first; check HF_ENDPOINT if you have set it.</source>
        <translation>Was {host} geantwortet hat, ergibt keinen Sinn ({reason}). Hat dieses Netz eine Anmeldeseite, öffnen Sie sie zuerst in einem Browser; prüfen Sie HF_ENDPOINT, falls Sie es gesetzt haben.</translation>
    </message>
    <message>
        <source>llama.cpp could not load {path}: {reason}.</source>
        <translation>llama.cpp konnte {path} nicht laden: {reason}.</translation>
    </message>
    <message>
        <source>{folder} has {free} free and the download needs {need}. Make room, or choose another folder.</source>
        <translation>In {folder} sind {free} frei, der Download braucht {need}. Schaffen Sie Platz, oder wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>{name!r} is no name that a model file can be kept under. Choose another file.</source>
        <translation>{name!r} ist kein Name, unter dem sich eine Modelldatei ablegen lässt. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{name} arrived damaged (its sha256 does not match) and was thrown away. Download it again.</source>
        <translation>{name} kam beschädigt an (die Prüfsumme sha256 stimmt nicht) und wurde verworfen. Laden Sie es noch einmal herunter.</translation>
    </message>
    <message>
        <source>{name} could not be downloaded: {reason}. Check the network and try again; what came is kept.</source>
        <translation>{name} ließ sich nicht herunterladen: {reason}. Prüfen Sie das Netz und versuchen Sie es noch einmal; was schon da ist, wird behalten.</translation>
    </message>
    <message>
        <source>{name} is {value!r}; it must be {allowed}.</source>
        <translation>{name} ist {value}; erlaubt ist: {allowed}.</translation>
    </message>
    <message>
        <source>{name} may be any of these: {candidates}. Write more of the name, or the path.</source>
        <translation>{name} kann jedes von diesen sein: {candidates}. Schreiben Sie mehr vom Namen, oder den Pfad.</translation>
    </message>
    <message>
        <source>{path} cannot be measured against: {reason}. Name the llama-server that `make peer` builds, or leave --peer out.</source>
        <translation>Gegen {path} kann nicht gemessen werden: {reason}. Nennen Sie den llama-server, den `make peer` baut, oder lassen Sie --peer weg.</translation>
    </message>
    <message>
        <source>{path} cannot be read ({reason}). Check its permissions.</source>
        <translation>{path} lässt sich nicht lesen ({reason}). Prüfen Sie die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>{path} cannot chat: {reason}. Choose another file.</source>
        <translation>{path} kann nicht chatten: {reason}. Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>{path} holds several parts of a split model, one after the other, which nothing can read. Keep the parts as separate files, or join them with llama.cpp&apos;s llama-gguf-split.</source>
        <translation>{path} enthält mehrere Teile eines aufgeteilten Modells hintereinander, was nichts lesen kann. Lassen Sie die Teile einzelne Dateien sein, oder fügen Sie sie mit llama-gguf-split von llama.cpp zusammen.</translation>
    </message>
    <message>
        <source>{path} is a folder. Choose the .gguf file inside it.</source>
        <translation>{path} ist ein Ordner. Wählen Sie die .gguf-Datei darin.</translation>
    </message>
    <message>
        <source>{path} is damaged: {reason}. Download it again.</source>
        <translation>{path} ist beschädigt: {reason}. Laden Sie die Datei noch einmal herunter.</translation>
    </message>
    <message>
        <source>{path} is incomplete: it has {have:,} bytes and its tensor table needs {need:,}. Download it again.</source>
        <translation>{path} ist unvollständig: Die Datei hat {have} Bytes, ihre Tensortabelle braucht {need}. Laden Sie sie noch einmal herunter.</translation>
    </message>
    <message>
        <source>{path} is incomplete: part {number} of {count} is not there. Put it beside the others, or download it.</source>
        <translation>{path} ist unvollständig: Teil {number} von {count} ist nicht da. Legen Sie ihn zu den anderen, oder laden Sie ihn herunter.</translation>
    </message>
    <message>
        <source>{path} is not Foreword&apos;s to remove: it lies in {place}. Remove it with the program that put it there.</source>
        <translation>{path} darf Foreword nicht entfernen: Es liegt in {place}. Entfernen Sie es mit dem Programm, das es dorthin gelegt hat.</translation>
    </message>
    <message>
        <source>{path} is not a GGUF model: {reason}. Choose another file, or download it again.</source>
        <translation>{path} ist kein GGUF-Modell: {reason}. Wählen Sie eine andere Datei, oder laden Sie sie noch einmal herunter.</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Assistant</source>
        <translation>Assistent</translation>
    </message>
    <message>
        <source>Attachment</source>
        <translation>Anhang</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemanweisung</translation>
    </message>
    <message>
        <source>Untitled</source>
        <translation>Ohne Titel</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
    <message>
        <source>cut at the length limit</source>
        <translation>an der Längengrenze abgeschnitten</translation>
    </message>
    <message>
        <source>cut short: the engine stopped</source>
        <translation>abgebrochen: der Modellprozess fiel aus</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message>
        <source>{n}% of the drafted tokens accepted</source>
        <translation>{n} % der entworfenen Token angenommen</translation>
    </message>
</context>
<context>
    <name>Faults</name>
    <message>
        <source>Foreword could not start ({reason}). Install it again. If that does not help, the details are in {path}.</source>
        <translation>Foreword ließ sich nicht starten ({reason}). Installieren Sie es noch einmal. Hilft das nicht, steht Näheres in {path}.</translation>
    </message>
    <message>
        <source>Foreword was updated or removed. Start it again.</source>
        <translation>Foreword wurde aktualisiert oder entfernt. Starten Sie es noch einmal.</translation>
    </message>
    <message>
        <source>Something went wrong inside Foreword ({kind}). What you see is kept; the details are in {path}.</source>
        <translation>In Foreword ist etwas schiefgegangen ({kind}). Was Sie sehen, bleibt erhalten; Näheres steht in {path}.</translation>
    </message>
</context>
<context>
    <name>FetchList</name>
    <message>
        <source>Choose a folder for models</source>
        <translation>Einen Ordner für Modelle wählen</translation>
    </message>
</context>
<context>
    <name>FetchRow</name>
    <message>
        <source>Access token…</source>
        <translation>Zugangs-Token…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Cancel and remove what came</source>
        <translation>Abbrechen und Geladenes entfernen</translation>
    </message>
    <message>
        <source>Choose another folder…</source>
        <translation>Anderen Ordner wählen…</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Take it off the list</source>
        <translation>Aus der Liste nehmen</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
</context>
<context>
    <name>FirstStart</name>
    <message>
        <source>A chat that drafts ahead</source>
        <translation>Ein Chat, der vorausschreibt</translation>
    </message>
    <message>
        <source>A small model guesses the next words and a large one checks them all at once, so the large one’s own reply comes sooner. Both run on this computer: nothing you write leaves it.</source>
        <translation>Ein kleines Modell rät die nächsten Wörter, ein großes prüft sie alle auf einmal; so kommt die Antwort des großen früher. Beide laufen auf diesem Rechner: Nichts, was Sie schreiben, verlässt ihn.</translation>
    </message>
    <message>
        <source>Best for this computer</source>
        <translation>Am besten für diesen Rechner</translation>
    </message>
    <message>
        <source>Other pairs</source>
        <translation>Andere Paare</translation>
    </message>
    <message>
        <source>The starter pair: small, to have a look</source>
        <translation>Das Startpaar: klein, zum Ansehen</translation>
    </message>
    <message>
        <source>Use one of {n} models here</source>
        <translation>Eines von {n} Modellen hier verwenden</translation>
    </message>
    <message>
        <source>Use the model here</source>
        <translation>Das Modell hier verwenden</translation>
    </message>
    <message>
        <source>Open a GGUF file I have…</source>
        <translation>Eigene GGUF-Datei öffnen…</translation>
    </message>
    <message>
        <source>The starter pair</source>
        <translation>Das Paar für den Anfang</translation>
    </message>
</context>
<context>
    <name>Footer</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>Bearbeiten und neu senden</translation>
    </message>
    <message>
        <source>Go on with this reply</source>
        <translation>Diese Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Write this reply again</source>
        <translation>Diese Antwort neu schreiben lassen</translation>
    </message>
</context>
<context>
    <name>HubSection</name>
    <message>
        <source>1 download</source>
        <translation>1 Download</translation>
    </message>
    <message>
        <source>1 like</source>
        <translation>1 Like</translation>
    </message>
    <message>
        <source>Asking the Hub …</source>
        <translation>Der Hub wird gefragt …</translation>
    </message>
    <message>
        <source>Back to what was found</source>
        <translation>Zurück zum Gefundenen</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
    <message>
        <source>Here</source>
        <translation>Vorhanden</translation>
    </message>
    <message>
        <source>In the downloads</source>
        <translation>Bei den Downloads</translation>
    </message>
    <message>
        <source>It holds no GGUF model.</source>
        <translation>Es enthält kein GGUF-Modell.</translation>
    </message>
    <message>
        <source>It names no licence.</source>
        <translation>Es nennt keine Lizenz.</translation>
    </message>
    <message>
        <source>Name of a model, or OWNER/REPOSITORY</source>
        <translation>Name eines Modells oder BESITZER/REPOSITORY</translation>
    </message>
    <message>
        <source>OTHER FILES</source>
        <translation>ANDERE DATEIEN</translation>
    </message>
    <message>
        <source>Open its page</source>
        <translation>Seite öffnen</translation>
    </message>
    <message>
        <source>REPOSITORIES WITH GGUF FILES, THE MOST FETCHED FIRST</source>
        <translation>REPOSITORYS MIT GGUF-DATEIEN, DIE MEISTGELADENEN ZUERST</translation>
    </message>
    <message>
        <source>Search the Hub</source>
        <translation>Hub durchsuchen</translation>
    </message>
    <message>
        <source>Search the Hugging Face Hub</source>
        <translation>Den Hugging Face Hub durchsuchen</translation>
    </message>
    <message>
        <source>Some of its parts are missing in the repository.</source>
        <translation>Einige seiner Teile fehlen im Repository.</translation>
    </message>
    <message>
        <source>Stop asking</source>
        <translation>Nicht weiter fragen</translation>
    </message>
    <message>
        <source>The Hub has no GGUF models by the name of “{text}”.</source>
        <translation>Der Hub hat keine GGUF-Modelle mit dem Namen „{text}“.</translation>
    </message>
    <message>
        <source>The Hugging Face Hub is asked when you press Return, and at no other time. It then learns your internet address and what you looked for.</source>
        <translation>Der Hugging Face Hub wird gefragt, wenn Sie die Eingabetaste drücken, und sonst nie. Er erfährt dann Ihre Internetadresse und wonach Sie gesucht haben.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>changed {date}</source>
        <translation>geändert {date}</translation>
    </message>
    <message>
        <source>the usual choice</source>
        <translation>die übliche Wahl</translation>
    </message>
    <message>
        <source>{n} downloads</source>
        <translation>{n} Downloads</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} Dateien</translation>
    </message>
    <message>
        <source>{n} likes</source>
        <translation>{n} Likes</translation>
    </message>
</context>
<context>
    <name>Importing</name>
    <message>
        <source>{name} is being imported. You can go on meanwhile.</source>
        <translation>{name} wird importiert. Sie können inzwischen weitermachen.</translation>
    </message>
    <message>
        <source>{name} is imported: it stands in the list of chats.</source>
        <translation>{name} ist importiert und steht in der Liste der Chats.</translation>
    </message>
</context>
<context>
    <name>Installed</name>
    <message>
        <source>1 MODEL · {size}</source>
        <translation>1 MODELL · {size}</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Einen Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>CANNOT BE USED AS THEY ARE</source>
        <translation>SO NICHT ZU GEBRAUCHEN</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Draft in use</source>
        <translation>Entwurfsmodell in Gebrauch</translation>
    </message>
    <message>
        <source>Filter the models</source>
        <translation>Modelle filtern</translation>
    </message>
    <message>
        <source>List it no more</source>
        <translation>Nicht mehr auflisten</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu nachsehen</translation>
    </message>
    <message>
        <source>Looking …</source>
        <translation>Es wird nachgesehen …</translation>
    </message>
    <message>
        <source>MADE FOR SOMETHING ELSE</source>
        <translation>FÜR ETWAS ANDERES GEMACHT</translation>
    </message>
    <message>
        <source>Models folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>No model is called that.</source>
        <translation>Kein Modell heißt so.</translation>
    </message>
    <message>
        <source>Open its folder</source>
        <translation>Seinen Ordner öffnen</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>Ordner öffnen</translation>
    </message>
    <message>
        <source>Show {n} more</source>
        <translation>{n} weitere zeigen</translation>
    </message>
    <message>
        <source>Target in use</source>
        <translation>Zielmodell in Gebrauch</translation>
    </message>
    <message>
        <source>The stores of LM Studio, Ollama and the Hugging Face Hub are looked into where they are; nothing in them is changed. The settings can turn that off.</source>
        <translation>In die Ablagen von LM Studio, Ollama und dem Hugging Face Hub wird geschaut, wo sie vorhanden sind; nichts darin wird verändert. In den Einstellungen lässt sich das abschalten.</translation>
    </message>
    <message>
        <source>There is no model here yet. Fetch one, or add a folder.</source>
        <translation>Hier ist noch kein Modell. Laden Sie eines herunter oder fügen Sie einen Ordner hinzu.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>WHERE MODELS ARE LOOKED FOR</source>
        <translation>WO NACH MODELLEN GESUCHT WIRD</translation>
    </message>
    <message>
        <source>Your folder; nothing in it is changed</source>
        <translation>Ihr Ordner; nichts darin wird verändert</translation>
    </message>
    <message>
        <source>{n} MODELS · {size}</source>
        <translation>{n} MODELLE · {size}</translation>
    </message>
</context>
<context>
    <name>Instance</name>
    <message>
        <source>Foreword is open already and does not answer. Wait until it does, or end it, and start again.</source>
        <translation>Foreword ist schon offen und antwortet nicht. Warten Sie, bis es antwortet, oder beenden Sie es, und starten Sie dann noch einmal.</translation>
    </message>
    <message>
        <source>Foreword {other} is open, and this is Foreword {version}. The open one came to the front: close it and start again to use this one.</source>
        <translation>Foreword {other} ist geöffnet, und dies ist Foreword {version}. Das geöffnete wurde nach vorn geholt: Schließen Sie es und starten Sie neu, um dieses zu benutzen.</translation>
    </message>
</context>
<context>
    <name>Legend</name>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>Where the words came from</source>
        <translation>Woher die Wörter kommen</translation>
    </message>
    <message>
        <source>added when all drafted were kept</source>
        <translation>hinzugefügt, wenn alle entworfenen blieben</translation>
    </message>
    <message>
        <source>bonus</source>
        <translation>Bonus</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>korrigiert</translation>
    </message>
    <message>
        <source>drafted, and kept by the target</source>
        <translation>entworfen und vom Zielmodell behalten</translation>
    </message>
    <message>
        <source>put in a drafted token&apos;s place</source>
        <translation>an die Stelle eines entworfenen Tokens gesetzt</translation>
    </message>
</context>
<context>
    <name>LoadingBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Lädt</translation>
    </message>
    <message>
        <source>Starting the engine for {name}</source>
        <translation>Modellprozess für {name} wird gestartet</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Hält an …</translation>
    </message>
</context>
<context>
    <name>MessageWidget</name>
    <message>
        <source>Copy the selection</source>
        <translation>Auswahl kopieren</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>This message is too long to be changed here. Copy it, and send the changed text as a file.</source>
        <translation>Diese Nachricht ist zu lang, um hier geändert zu werden. Kopieren Sie sie, und senden Sie den geänderten Text als Datei.</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Sie</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>+{tokens}  ·  {sums}</source>
        <translation>+{tokens}  ·  {sums}</translation>
    </message>
    <message>
        <source>The models see {limit} tokens at once. This conversation takes {used} of them, and what you typed about {tokens} more.</source>
        <translation>Die Modelle sehen {limit} Token auf einmal. Dieses Gespräch nimmt {used} davon ein, das Getippte etwa {tokens} weitere.</translation>
    </message>
    <message>
        <source>Too long: {sums}</source>
        <translation>Zu lang: {sums}</translation>
    </message>
    <message>
        <source>{full} of {limit} tokens</source>
        <translation>{full} von {limit} Token</translation>
    </message>
</context>
<context>
    <name>ModelScreens</name>
    <message>
        <source>{title} is here.</source>
        <translation>{title} ist da.</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Both models together need {amounts}.</source>
        <translation>Beide Modelle zusammen brauchen {amounts}.</translation>
    </message>
    <message>
        <source>Even alone and with a context of {n} tokens the target needs {amounts}. Choose a smaller model.</source>
        <translation>Selbst allein und mit einem Kontext von {n} Token braucht das Zielmodell {amounts}. Wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Hugging Face cache</source>
        <translation>Hugging-Face-Cache</translation>
    </message>
    <message>
        <source>It fits {given}.</source>
        <translation>Es passt {given}.</translation>
    </message>
    <message>
        <source>It would write slower than one reads.</source>
        <translation>Es schriebe langsamer, als man liest.</translation>
    </message>
    <message>
        <source>Looking … 1 file, {name}</source>
        <translation>Es wird nachgesehen … 1 Datei, {name}</translation>
    </message>
    <message>
        <source>Looking … {n} files, {name}</source>
        <translation>Es wird nachgesehen … {n} Dateien, {name}</translation>
    </message>
    <message>
        <source>Needs {amounts}.</source>
        <translation>Braucht {amounts}.</translation>
    </message>
    <message>
        <source>On the disk {n} are missing.</source>
        <translation>Auf der Festplatte fehlen {n}.</translation>
    </message>
    <message>
        <source>The file {rest}</source>
        <translation>Die Datei {rest}</translation>
    </message>
    <message>
        <source>What came so far is kept.</source>
        <translation>Was schon da ist, bleibt erhalten.</translation>
    </message>
    <message>
        <source>asked to wait a little</source>
        <translation>soll ein wenig warten</translation>
    </message>
    <message>
        <source>asks for an account and consent</source>
        <translation>verlangt ein Konto und Zustimmung</translation>
    </message>
    <message>
        <source>cancelled; what came is about to be removed</source>
        <translation>abgebrochen; Geladenes wird gleich entfernt</translation>
    </message>
    <message>
        <source>checking what is here</source>
        <translation>prüft, was da ist</translation>
    </message>
    <message>
        <source>connecting</source>
        <translation>verbindet</translation>
    </message>
    <message>
        <source>did not come</source>
        <translation>nicht gekommen</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>fits the graphics processor</source>
        <translation>passt auf den Grafikprozessor</translation>
    </message>
    <message>
        <source>fits, in part on the processor</source>
        <translation>passt, zum Teil auf dem Prozessor</translation>
    </message>
    <message>
        <source>folder {name}</source>
        <translation>Ordner {name}</translation>
    </message>
    <message>
        <source>from {source}</source>
        <translation>von: {source}</translation>
    </message>
    <message>
        <source>measured here: drafting does not pay</source>
        <translation>hier gemessen: Entwerfen lohnt sich nicht</translation>
    </message>
    <message>
        <source>models folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>needs about {need} of memory, {room} can be had</source>
        <translation>braucht etwa {need} Speicher, {room} sind zu haben</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>the connection was lost; trying again</source>
        <translation>die Verbindung ging verloren; neuer Versuch</translation>
    </message>
    <message>
        <source>the server starts over; passing over what is here</source>
        <translation>der Server beginnt von vorn; Vorhandenes wird übergangen</translation>
    </message>
    <message>
        <source>up to {times}, a guess</source>
        <translation>bis zu {times}, geschätzt</translation>
    </message>
    <message>
        <source>waiting for another download of it</source>
        <translation>wartet auf einen anderen Download davon</translation>
    </message>
    <message>
        <source>waits for its turn</source>
        <translation>wartet auf die Reihe</translation>
    </message>
    <message>
        <source>with a context of {n} tokens</source>
        <translation>mit einem Kontext von {n} Token</translation>
    </message>
    <message>
        <source>with {n} of {all} layers on the graphics processor</source>
        <translation>mit {n} von {all} Schichten auf dem Grafikprozessor</translation>
    </message>
    <message>
        <source>without the draft</source>
        <translation>ohne das Entwurfsmodell</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} von {total}</translation>
    </message>
    <message>
        <source>{need} of memory, of {room} that can be had</source>
        <translation>{need} Speicher von {room}, die zu haben sind</translation>
    </message>
    <message>
        <source>{need} of the graphics processor’s memory, of {room}, and {host} of the computer’s, of {host_room}</source>
        <translation>{need} Speicher des Grafikprozessors von {room} und {host} des Rechners von {host_room}</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} Dateien</translation>
    </message>
    <message>
        <source>{n} h left</source>
        <translation>noch {n} h</translation>
    </message>
    <message>
        <source>{n} min left</source>
        <translation>noch {n} min</translation>
    </message>
    <message>
        <source>{n} s left</source>
        <translation>noch {n} s</translation>
    </message>
    <message>
        <source>{n} tokens of context</source>
        <translation>{n} Token Kontext</translation>
    </message>
    <message>
        <source>{speed}/s</source>
        <translation>{speed}/s</translation>
    </message>
    <message>
        <source>{times} measured here</source>
        <translation>{times}, hier gemessen</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>DOWNLOADS</source>
        <translation>DOWNLOADS</translation>
    </message>
    <message>
        <source>Installed</source>
        <translation>Vorhanden</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Recommended</source>
        <translation>Empfohlen</translation>
    </message>
    <message>
        <source>Search the Hub</source>
        <translation>Hub durchsuchen</translation>
    </message>
    <message>
        <source>What is shown of the models</source>
        <translation>Was von den Modellen gezeigt wird</translation>
    </message>
    <message>
        <source>{name} is deleted.</source>
        <translation>{name} ist gelöscht.</translation>
    </message>
    <message>
        <source>{name} is in use and was not deleted.</source>
        <translation>{name} ist in Gebrauch und wurde nicht gelöscht.</translation>
    </message>
</context>
<context>
    <name>NetworkPage</name>
    <message>
        <source>A reply loads nothing</source>
        <translation>Eine Antwort lädt nichts nach</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>Foreword works the same with the network unplugged.</source>
        <translation>Foreword funktioniert ohne Netz genauso.</translation>
    </message>
    <message>
        <source>Before a download does, the window shows what will be fetched, how large it is and from where. You can stop it at any time; what came is kept for the next try.</source>
        <translation>Vor einem Download zeigt das Fenster, was geholt wird, wie groß es ist und von wo. Sie können ihn jederzeit anhalten; was schon da ist, bleibt für den nächsten Versuch.</translation>
    </message>
    <message>
        <source>It asks huggingface.co, or the mirror that you have set (HF_ENDPOINT)</source>
        <translation>Gefragt wird huggingface.co oder der Spiegel, den Sie eingestellt haben (HF_ENDPOINT)</translation>
    </message>
    <message>
        <source>It begins with your click</source>
        <translation>Beides beginnt mit Ihrem Klick</translation>
    </message>
    <message>
        <source>Logs, which hold no message</source>
        <translation>Protokolle, ohne jede Nachricht</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>No account, no statistics, no crash reports, no search for updates</source>
        <translation>Kein Konto, keine Statistik, keine Absturzberichte, keine Suche nach Updates</translation>
    </message>
    <message>
        <source>Some networks reach only that. It is asked where the site cannot be reached, by installations from source. The same file comes from there in parts; its checksum must match before it is used.</source>
        <translation>Manche Netze erreichen nur dieses. Aus dem Quelltext installiert, fragt Foreword dort, wenn die Seite nicht erreichbar ist. Dieselbe Datei kommt von dort in Teilen; ihre Prüfsumme muss stimmen, bevor sie verwendet wird.</translation>
    </message>
    <message>
        <source>The search for models and their download, when you ask for it. Nothing else does.</source>
        <translation>Die Suche nach Modellen und ihr Download, wenn Sie es verlangen. Sonst nichts.</translation>
    </message>
    <message>
        <source>The site learns your internet address and what you look for or fetch. No account is named. If you have given an access token, it is sent to that site alone, and only where the site refuses to answer without one.</source>
        <translation>Die Seite erfährt Ihre Internetadresse und was Sie suchen oder holen. Kein Konto wird genannt. Haben Sie ein Zugangs-Token angegeben, wird es nur an diese Seite gesendet, und nur dort, wo sie ohne Token nicht antwortet.</translation>
    </message>
    <message>
        <source>The starter pair can also come from your Python package index</source>
        <translation>Das Paar für den Anfang kann auch aus Ihrem Python-Paketverzeichnis kommen</translation>
    </message>
    <message>
        <source>WHAT A SEARCH OR A DOWNLOAD DOES</source>
        <translation>WAS SUCHE UND DOWNLOAD TUN</translation>
    </message>
    <message>
        <source>Pictures in it stay unloaded. A link opens in your browser, when you click it.</source>
        <translation>Bilder darin bleiben ungeladen. Ein Link öffnet sich in Ihrem Browser, wenn Sie ihn anklicken.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Show the folder: {name}</source>
        <translation>Ordner zeigen: {name}</translation>
    </message>
    <message>
        <source>The models run here, in a process that opens no connection.</source>
        <translation>Die Modelle laufen hier, in einem Prozess, der keine Verbindung öffnet.</translation>
    </message>
    <message>
        <source>WHAT NEVER HAPPENS</source>
        <translation>WAS NIE GESCHIEHT</translation>
    </message>
    <message>
        <source>WHAT STAYS ON THIS COMPUTER</source>
        <translation>WAS AUF DIESEM RECHNER BLEIBT</translation>
    </message>
    <message>
        <source>What touches the network</source>
        <translation>Was das Netz berührt</translation>
    </message>
    <message>
        <source>Your messages and the replies never leave this computer</source>
        <translation>Ihre Nachrichten und die Antworten verlassen diesen Rechner nie</translation>
    </message>
</context>
<context>
    <name>NumberField</name>
    <message>
        <source>Less</source>
        <translation>Weniger</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>OfferCard</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Download ({size})</source>
        <translation>Herunterladen ({size})</translation>
    </message>
    <message>
        <source>Download the rest ({size})</source>
        <translation>Rest herunterladen ({size})</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>Lizenz</translation>
    </message>
    <message>
        <source>Memory needed</source>
        <translation>Speicherbedarf</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Noch einmal versuchen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>about {n}</source>
        <translation>etwa {n}</translation>
    </message>
    <message>
        <source>the Hugging Face Hub</source>
        <translation>dem Hugging Face Hub</translation>
    </message>
    <message>
        <source>the Hugging Face Hub, or a Python package index where that is out of reach</source>
        <translation>dem Hugging Face Hub oder einem Python-Paketindex, wo der nicht erreichbar ist</translation>
    </message>
</context>
<context>
    <name>Opener</name>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Chats (*.json)</source>
        <translation>Chats (*.json)</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>Import a chat</source>
        <translation>Chat importieren</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>The model used last is not there any more: {path}</source>
        <translation>Das zuletzt benutzte Modell ist nicht mehr da: {path}</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>es ist keine Datei</translation>
    </message>
    <message>
        <source>it is too large for a chat</source>
        <translation>sie ist zu groß für einen Chat</translation>
    </message>
    <message>
        <source>{name} goes with your first message, once a model is loaded.</source>
        <translation>{name} geht mit Ihrer ersten Nachricht mit, sobald ein Modell geladen ist.</translation>
    </message>
    <message>
        <source>{n} files go with your first message, once a model is loaded.</source>
        <translation>{n} Dateien gehen mit Ihrer ersten Nachricht mit, sobald ein Modell geladen ist.</translation>
    </message>
    <message>
        <source>{path} cannot be written ({reason}). Choose another place.</source>
        <translation>{path} lässt sich nicht schreiben ({reason}). Wählen Sie einen anderen Ort.</translation>
    </message>
</context>
<context>
    <name>Page</name>
    <message>
        <source>Back to the chat</source>
        <translation>Zurück zum Chat</translation>
    </message>
</context>
<context>
    <name>Pager</name>
    <message>
        <source>Earlier version</source>
        <translation>Frühere Version</translation>
    </message>
    <message>
        <source>Later version</source>
        <translation>Spätere Version</translation>
    </message>
    <message>
        <source>Version {n} of {count}</source>
        <translation>Version {n} von {count}</translation>
    </message>
    <message>
        <source>{n} of {count}</source>
        <translation>{n} von {count}</translation>
    </message>
</context>
<context>
    <name>Palette</name>
    <message>
        <source>Command palette</source>
        <translation>Befehlssuche</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>No command is called that.</source>
        <translation>So heißt kein Befehl.</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle durchsuchen</translation>
    </message>
    <message>
        <source>What do you want to do?</source>
        <translation>Was möchten Sie tun?</translation>
    </message>
</context>
<context>
    <name>Panel</name>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>A column for each round, the newest on the right: from the bottom up what was accepted, then the corrected token and what was never tested, or the bonus on top.</source>
        <translation>Eine Säule je Runde, die neueste rechts: von unten, was angenommen wurde, darüber das korrigierte Token und was nie geprüft wurde, oder obenauf der Bonus.</translation>
    </message>
    <message>
        <source>A plain token, {time}.</source>
        <translation>Ein einfaches Token, {time}.</translation>
    </message>
    <message>
        <source>A short timing when the pair was loaded says that drafting will not pay here. Compare once to know.</source>
        <translation>Eine kurze Messung beim Laden sagt, dass sich das Entwerfen hier nicht lohnen wird. Ein Vergleich bringt Gewissheit.</translation>
    </message>
    <message>
        <source>Acceptance</source>
        <translation>Annahme</translation>
    </message>
    <message>
        <source>Acceptance by position</source>
        <translation>Annahme nach Position</translation>
    </message>
    <message>
        <source>Acceptance rate</source>
        <translation>Annahmequote</translation>
    </message>
    <message>
        <source>Accepted by place</source>
        <translation>Treffer je Stelle</translation>
    </message>
    <message>
        <source>Accepted in a round</source>
        <translation>Treffer je Runde</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>Breaks even at</source>
        <translation>Lohnt sich ab</translation>
    </message>
    <message>
        <source>Breaks even at {tokens} of reply.</source>
        <translation>Lohnt sich ab {tokens} Antwort.</translation>
    </message>
    <message>
        <source>Buffers in memory</source>
        <translation>Rechenpuffer</translation>
    </message>
    <message>
        <source>Caches in memory</source>
        <translation>Zwischenspeicher</translation>
    </message>
    <message>
        <source>Choosing tokens, judging the draft and turning tokens into text.</source>
        <translation>Token auswählen, den Entwurf beurteilen und Token in Text verwandeln.</translation>
    </message>
    <message>
        <source>Clock</source>
        <translation>Uhr</translation>
    </message>
    <message>
        <source>Compare once</source>
        <translation>Einmal vergleichen</translation>
    </message>
    <message>
        <source>Compare side by side</source>
        <translation>Nebeneinander vergleichen</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Context and memory</source>
        <translation>Kontext und Speicher</translation>
    </message>
    <message>
        <source>Cost of a pass against its width</source>
        <translation>Kosten eines Durchgangs nach seiner Breite</translation>
    </message>
    <message>
        <source>Draft with γ {gamma}</source>
        <translation>Mit γ {gamma} entwerfen</translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation>Entwerfen</translation>
    </message>
    <message>
        <source>Drafting costs time here: plain is {much} faster.</source>
        <translation>Entwerfen kostet hier Zeit: Einfach ist {much} schneller.</translation>
    </message>
    <message>
        <source>Drafting is off: {reason}.</source>
        <translation>Entwerfen ist aus: {reason}.</translation>
    </message>
    <message>
        <source>Drafting makes no difference here: plain is as fast, within 3 %.</source>
        <translation>Entwerfen macht hier keinen Unterschied: Einfach ist auf 3 % genau so schnell.</translation>
    </message>
    <message>
        <source>Drafting pays here: {times} faster.</source>
        <translation>Entwerfen lohnt sich hier: {times} schneller.</translation>
    </message>
    <message>
        <source>Drafting writes {times} faster, but the draft reads the prompt too: it pays from {tokens} of reply on.</source>
        <translation>Mit Entwurf schreibt es sich {times} schneller, doch auch das Entwurfsmodell liest die Eingabe: Das lohnt sich ab {tokens} Antwort.</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>Alles andere</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>First both models read the prompt.</source>
        <translation>Zuerst lesen beide Modelle die Eingabe.</translation>
    </message>
    <message>
        <source>First the target reads the prompt.</source>
        <translation>Zuerst liest das Zielmodell die Eingabe.</translation>
    </message>
    <message>
        <source>Go on plain</source>
        <translation>Einfach weitermachen</translation>
    </message>
    <message>
        <source>How full the context is, and what memory it takes.</source>
        <translation>Wie voll der Kontext ist und wie viel Speicher er braucht.</translation>
    </message>
    <message>
        <source>How many rounds had none, one, two … of their drafted tokens accepted.</source>
        <translation>In wie vielen Runden keines, eines, zwei … der entworfenen Token angenommen wurden.</translation>
    </message>
    <message>
        <source>How many times faster a token comes than plain decoding with this pair wrote it on this computer.</source>
        <translation>Wievielmal schneller ein Token kommt, als es dieses Paar auf diesem Rechner ohne Entwurf schrieb.</translation>
    </message>
    <message>
        <source>How many times faster than plain each γ is predicted to be from what was timed here; the band holds nine times in ten, and at the dashed line drafting breaks even.</source>
        <translation>Wievielmal so schnell wie einfach jedes γ nach den Messungen hier sein dürfte; das Band gilt in neun von zehn Fällen, und an der gestrichelten Linie hält es sich die Waage.</translation>
    </message>
    <message>
        <source>How many tokens a round of drafting and checking wrote, from 1 to γ + 1.</source>
        <translation>Wie viele Token eine Runde aus Entwerfen und Prüfen schrieb, von 1 bis γ + 1.</translation>
    </message>
    <message>
        <source>How many tokens of the reply are written.</source>
        <translation>Wie viele Token der Antwort geschrieben sind.</translation>
    </message>
    <message>
        <source>How much of what the models can see at once the conversation and this reply fill.</source>
        <translation>Wie viel von dem, was die Modelle auf einmal sehen, das Gespräch und diese Antwort füllen.</translation>
    </message>
    <message>
        <source>How much sooner this reply came than a plain one would have, counting that the draft reads the prompt too.</source>
        <translation>Wie viel früher diese Antwort kam als eine einfache; mitgerechnet ist, dass auch das Entwurfsmodell die Eingabe liest.</translation>
    </message>
    <message>
        <source>How often the first one, two, three … drafted tokens of a round all pass, for each kind of text.</source>
        <translation>Wie oft die ersten ein, zwei, drei … entworfenen Token einer Runde alle bestehen, für jede Art von Text.</translation>
    </message>
    <message>
        <source>How often the first, second, third … token of a draft was accepted when it was tested.</source>
        <translation>Wie oft das erste, zweite, dritte … Token eines Entwurfs angenommen wurde, wenn es geprüft wurde.</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Load a model, and the figures of each reply appear here.</source>
        <translation>Laden Sie ein Modell, dann erscheinen hier die Messwerte jeder Antwort.</translation>
    </message>
    <message>
        <source>Loses at any length of reply.</source>
        <translation>Lohnt sich bei keiner Länge der Antwort.</translation>
    </message>
    <message>
        <source>Lost {time}, prompt included.</source>
        <translation>{time} verloren, Eingabe mitgerechnet.</translation>
    </message>
    <message>
        <source>Measuring …</source>
        <translation>Misst …</translation>
    </message>
    <message>
        <source>Memory against γ</source>
        <translation>Speicher nach γ</translation>
    </message>
    <message>
        <source>Net of a round</source>
        <translation>Unterm Strich je Runde</translation>
    </message>
    <message>
        <source>One round</source>
        <translation>Eine Runde</translation>
    </message>
    <message>
        <source>Plain from the next reply on</source>
        <translation>Ab der nächsten Antwort einfach</translation>
    </message>
    <message>
        <source>What a round saved in all, or lost where it is negative: the plain time of its tokens less the time it took.</source>
        <translation>Was eine Runde insgesamt sparte, oder verlor, wo es negativ ist: die Zeit ihrer Token ohne Entwurf, abzüglich der Zeit, die sie brauchte.</translation>
    </message>
    <message>
        <source>Saved {time}, prompt included.</source>
        <translation>{time} gespart, Eingabe mitgerechnet.</translation>
    </message>
    <message>
        <source>Send a message: its figures appear here. γ {gamma} is a guess from a short timing when the pair was loaded.</source>
        <translation>Senden Sie eine Nachricht: Ihre Messwerte erscheinen hier. γ {gamma} ist geraten, aus einer kurzen Messung beim Laden.</translation>
    </message>
    <message>
        <source>Send a message: its figures appear here. γ {gamma} was found best by tuning.</source>
        <translation>Senden Sie eine Nachricht: Ihre Messwerte erscheinen hier. γ {gamma} ist nach der Abstimmung das beste.</translation>
    </message>
    <message>
        <source>Show every figure as text, in a table</source>
        <translation>Alle Messwerte als Text zeigen, in einer Tabelle</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Speed-up against γ</source>
        <translation>Beschleunigung nach γ</translation>
    </message>
    <message>
        <source>Target steps skipped</source>
        <translation>Gesparte Schritte des Zielmodells</translation>
    </message>
    <message>
        <source>The engine stopped. These are the figures up to then.</source>
        <translation>Der Modellprozess ist ausgefallen. Dies sind die Messwerte bis dahin.</translation>
    </message>
    <message>
        <source>The figures as text</source>
        <translation>Die Messwerte als Text</translation>
    </message>
    <message>
        <source>The last rounds</source>
        <translation>Die letzten Runden</translation>
    </message>
    <message>
        <source>The length of reply from which on drafting has made up for the time the draft took to read the prompt.</source>
        <translation>Die Länge der Antwort, ab der das Entwerfen die Zeit wettgemacht hat, in der das Entwurfsmodell die Eingabe las.</translation>
    </message>
    <message>
        <source>How long reading the prompt and writing the first round took, by this reply’s own clock: in a comparison the other lane’s turns do not count.</source>
        <translation>Wie lange es dauerte, die Eingabe zu lesen und die erste Runde zu schreiben, nach der eigenen Uhr dieser Antwort: Im Vergleich zählt nicht mit, was die andere Spur rechnet.</translation>
    </message>
    <message>
        <source>A comparison needs the engine to itself: wait until this reply is written.</source>
        <translation>Ein Vergleich braucht den Modellprozess für sich: Warten Sie, bis diese Antwort geschrieben ist.</translation>
    </message>
    <message>
        <source>The memory that each loaded model takes to know a full context; a longer one takes more.</source>
        <translation>Der Speicher, den jedes geladene Modell braucht, um einen vollen Kontext zu kennen; ein längerer braucht mehr.</translation>
    </message>
    <message>
        <source>The memory that the caches of a full context and the buffers to compute with take at each γ.</source>
        <translation>Der Speicher, den die Caches eines vollen Kontexts und die Rechenpuffer bei jedem γ brauchen.</translation>
    </message>
    <message>
        <source>The memory that the numbers of the target and of the draft take.</source>
        <translation>Der Speicher, den die Zahlen von Ziel- und Entwurfsmodell einnehmen.</translation>
    </message>
    <message>
        <source>The memory to compute passes up to the widest γ and to hold what they answer.</source>
        <translation>Der Speicher, um Durchgänge bis zum größten γ zu rechnen und ihre Ergebnisse zu halten.</translation>
    </message>
    <message>
        <source>The share of all drafted tokens that the target accepted.</source>
        <translation>Der Anteil aller entworfenen Token, den das Zielmodell annahm.</translation>
    </message>
    <message>
        <source>The share of tested tokens that were accepted; what follows a rejection is never tested.</source>
        <translation>Der Anteil der geprüften Token, der angenommen wurde; was auf eine Ablehnung folgt, wird nie geprüft.</translation>
    </message>
    <message>
        <source>The speed over the last second of writing, from the reply’s beginning to now; the dashed line is plain decoding.</source>
        <translation>Das Tempo der jeweils letzten Sekunde, vom Beginn der Antwort bis jetzt; die gestrichelte Linie ist das Schreiben ohne Entwurf.</translation>
    </message>
    <message>
        <source>The target’s pass</source>
        <translation>Der Durchgang des Zielmodells</translation>
    </message>
    <message>
        <source>The time this lane has computed, prompt included; it stands while the other lane has its turn.</source>
        <translation>Die Zeit, die diese Spur gerechnet hat, Eingabe mitgerechnet; sie steht, während die andere Spur an der Reihe ist.</translation>
    </message>
    <message>
        <source>The wider pass</source>
        <translation>Der breitere Durchgang</translation>
    </message>
    <message>
        <source>This reply is plain: nothing is drafted.</source>
        <translation>Diese Antwort ist einfach: Es wird nichts entworfen.</translation>
    </message>
    <message>
        <source>This reply is too short to judge drafting by.</source>
        <translation>Diese Antwort ist zu kurz, um das Entwerfen danach zu beurteilen.</translation>
    </message>
    <message>
        <source>This reply was written before the tuning, which found that drafting does not pay here.</source>
        <translation>Diese Antwort entstand vor der Abstimmung, und nach dieser lohnt sich Entwerfen hier nicht.</translation>
    </message>
    <message>
        <source>This reply was written before the tuning, which found γ {gamma} best. The next reply shows whether drafting pays.</source>
        <translation>Diese Antwort entstand vor der Abstimmung, nach der γ {gamma} das beste ist. Die nächste Antwort zeigt, ob sich Entwerfen lohnt.</translation>
    </message>
    <message>
        <source>Time saved</source>
        <translation>Gesparte Zeit</translation>
    </message>
    <message>
        <source>Time to first token</source>
        <translation>Zeit bis zum ersten Token</translation>
    </message>
    <message>
        <source>Tokens of the reply for each second of writing; reading the prompt is not counted.</source>
        <translation>Token der Antwort je Sekunde Schreiben; das Lesen der Eingabe zählt nicht mit.</translation>
    </message>
    <message>
        <source>Tokens per round</source>
        <translation>Token je Runde</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token je Sekunde</translation>
    </message>
    <message>
        <source>Tokens per second over time</source>
        <translation>Token je Sekunde im Verlauf</translation>
    </message>
    <message>
        <source>Tokens per second, now and over the whole reply.</source>
        <translation>Token je Sekunde, jetzt und über die ganze Antwort.</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>Geschriebene Token</translation>
    </message>
    <message>
        <source>Try γ {gamma}</source>
        <translation>γ {gamma} versuchen</translation>
    </message>
    <message>
        <source>Tuning found that drafting does not pay here.</source>
        <translation>Die Messung ergab, dass sich Entwerfen hier nicht lohnt.</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Weights in memory</source>
        <translation>Gewichte im Speicher</translation>
    </message>
    <message>
        <source>What a round saves and what it spends, in milliseconds.</source>
        <translation>Was eine Runde spart und was sie kostet, in Millisekunden.</translation>
    </message>
    <message>
        <source>What one pass of the target over several tokens takes, in passes over one; where it jumps, so does the cost of one more drafted token.</source>
        <translation>Was ein Durchgang des Zielmodells über mehrere Token kostet, in Durchgängen über eines; wo es springt, springen auch die Kosten eines weiteren entworfenen Tokens.</translation>
    </message>
    <message>
        <source>What plain decoding would have spent on the tokens that a round adds to its first.</source>
        <translation>Was das Schreiben ohne Entwurf für die Token gekostet hätte, die eine Runde über ihr erstes hinaus bringt.</translation>
    </message>
    <message>
        <source>What the draft spent on guessing, a step for each token of γ.</source>
        <translation>Was das Entwurfsmodell fürs Raten brauchte, ein Schritt je Token von γ.</translation>
    </message>
    <message>
        <source>What the target spent on its one pass over all drafted tokens.</source>
        <translation>Was das Zielmodell für seinen einen Durchgang über alle entworfenen Token brauchte.</translation>
    </message>
    <message>
        <source>What the target’s pass over all drafted tokens took more than a plain step for one.</source>
        <translation>Was der Durchgang des Zielmodells über alle entworfenen Token länger dauerte als ein einfacher Schritt für eines.</translation>
    </message>
    <message>
        <source>Where the time of an average round goes, in milliseconds and to scale.</source>
        <translation>Wohin die Zeit einer durchschnittlichen Runde geht, in Millisekunden und maßstäblich.</translation>
    </message>
    <message>
        <source>Whether drafting pays here is not measured yet: compare once.</source>
        <translation>Ob sich Entwerfen hier lohnt, ist noch nicht gemessen: Vergleichen Sie einmal.</translation>
    </message>
    <message>
        <source>Which of the drafted tokens the target keeps, round by round.</source>
        <translation>Welche der entworfenen Token das Zielmodell behält, Runde für Runde.</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>bonus</source>
        <translation>Bonus</translation>
    </message>
    <message>
        <source>both caches {size}</source>
        <translation>Caches {size}</translation>
    </message>
    <message>
        <source>buffers {size}</source>
        <translation>Puffer {size}</translation>
    </message>
    <message>
        <source>cache {size}</source>
        <translation>Cache {size}</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>korrigiert</translation>
    </message>
    <message>
        <source>first token after {time}</source>
        <translation>erstes Token nach {time}</translation>
    </message>
    <message>
        <source>for γ {size}</source>
        <translation>für γ {size}</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>ungemessen</translation>
    </message>
    <message>
        <source>of the prompt read</source>
        <translation>der Eingabe gelesen</translation>
    </message>
    <message>
        <source>plain {rate}</source>
        <translation>einfach {rate}</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>untested</source>
        <translation>ungeprüft</translation>
    </message>
    <message>
        <source>up to {limit} tokens</source>
        <translation>bis zu {limit} Token</translation>
    </message>
    <message>
        <source>weights {size}</source>
        <translation>Gewichte {size}</translation>
    </message>
    <message>
        <source>{accepted} accepted: {rounds}</source>
        <translation>{accepted} angenommen: {rounds}</translation>
    </message>
    <message>
        <source>{accepted} of {drafted}</source>
        <translation>{accepted} von {drafted}</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} accepted, {time}.</source>
        <translation>{accepted} von {drafted} angenommen, {time}.</translation>
    </message>
    <message>
        <source>{count} bytes</source>
        <translation>{count} Byte</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count} Token</translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} Token/s</translation>
    </message>
    <message>
        <source>{rate} tokens/s after {time}.</source>
        <translation>{rate} Token/s nach {time}.</translation>
    </message>
    <message>
        <source>{tokens} tokens per round</source>
        <translation>{tokens} Token je Runde</translation>
    </message>
    <message>
        <source>{used} of {limit} tokens</source>
        <translation>{used} von {limit} Token</translation>
    </message>
    <message>
        <source>α, acceptance per tested token</source>
        <translation>α, Annahme je geprüftem Token</translation>
    </message>
    <message>
        <source>γ {gamma} from the next reply on</source>
        <translation>Ab der nächsten Antwort γ {gamma}</translation>
    </message>
</context>
<context>
    <name>PathField</name>
    <message>
        <source>Look for a folder</source>
        <translation>Ordner suchen</translation>
    </message>
</context>
<context>
    <name>Preview</name>
    <message>
        <source>… and 1 more character</source>
        <translation>… und 1 weiteres Zeichen</translation>
    </message>
    <message>
        <source>… and {n} more characters</source>
        <translation>… und {n} weitere Zeichen</translation>
    </message>
</context>
<context>
    <name>Prose</name>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
</context>
<context>
    <name>Reasoning</name>
    <message>
        <source>1 word</source>
        <translation>1 Wort</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Überlegung</translation>
    </message>
    <message>
        <source>Reasoning…</source>
        <translation>Überlegt…</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>sichtbar</translation>
    </message>
    <message>
        <source>{n} words</source>
        <translation>{n} Wörter</translation>
    </message>
</context>
<context>
    <name>Recommended</name>
    <message>
        <source>BEST FOR THIS COMPUTER</source>
        <translation>AM BESTEN FÜR DIESEN COMPUTER</translation>
    </message>
    <message>
        <source>DO NOT SUIT IT</source>
        <translation>PASSEN NICHT ZU IHM</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Herunterladen</translation>
    </message>
    <message>
        <source>In the downloads</source>
        <translation>Bei den Downloads</translation>
    </message>
    <message>
        <source>Looking at this computer …</source>
        <translation>Dieser Rechner wird angesehen …</translation>
    </message>
    <message>
        <source>No graphics processor is used here; {room} of memory that models can have.</source>
        <translation>Hier wird kein Grafikprozessor benutzt; {room} Speicher, die Modelle haben können.</translation>
    </message>
    <message>
        <source>For chat</source>
        <translation>Für Gespräche</translation>
    </message>
    <message>
        <source>For code</source>
        <translation>Für Code</translation>
    </message>
    <message>
        <source>For everything</source>
        <translation>Für alles</translation>
    </message>
    <message>
        <source>For reasoning</source>
        <translation>Zum Nachdenken</translation>
    </message>
    <message>
        <source>SUIT IT TOO</source>
        <translation>PASSEN AUCH</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>What the pair is for</source>
        <translation>Wofür das Paar ist</translation>
    </message>
    <message>
        <source>target {n}× its draft</source>
        <translation>Zielmodell {n}× so groß wie das Entwurfsmodell</translation>
    </message>
    <message>
        <source>{gpu}, and {room} of memory that models can have.</source>
        <translation>{gpu} und {room} Speicher, die Modelle haben können.</translation>
    </message>
    <message>
        <source>{target} drafted by {draft}</source>
        <translation>{target}, entworfen von {draft}</translation>
    </message>
</context>
<context>
    <name>ReplyFigures</name>
    <message>
        <source>Cut at the limit</source>
        <translation>An der Grenze abgeschnitten</translation>
    </message>
    <message>
        <source>Cut off when Foreword closed</source>
        <translation>Abgebrochen, als Foreword beendet wurde</translation>
    </message>
    <message>
        <source>Reading the prompt…</source>
        <translation>Liest die Eingabe…</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>The engine was lost here</source>
        <translation>Hier fiel der Modellprozess aus</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Schreibt…</translation>
    </message>
    <message>
        <source>{gamma}, chosen by Auto</source>
        <translation>{gamma}, von Auto gewählt</translation>
    </message>
    <message>
        <source>{share} accepted</source>
        <translation>{share} angenommen</translation>
    </message>
    <message>
        <source>{times} plain</source>
        <translation>{times} gegenüber einfach</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
</context>
<context>
    <name>RowPainter</name>
    <message>
        <source>Title of the chat</source>
        <translation>Titel des Chats</translation>
    </message>
</context>
<context>
    <name>Sayings</name>
    <message>
        <source>Choosing</source>
        <translation>Auswählen</translation>
    </message>
    <message>
        <source>HF_HUB_OFFLINE forbids asking it</source>
        <translation>HF_HUB_OFFLINE verbietet, ihn zu fragen</translation>
    </message>
    <message>
        <source>In {path}, {sentence} The default is used.</source>
        <translation>In {path}: {sentence} Die Voreinstellung gilt.</translation>
    </message>
    <message>
        <source>Loading {name}</source>
        <translation>{name} wird geladen</translation>
    </message>
    <message>
        <source>SOCKS is not supported</source>
        <translation>SOCKS wird nicht unterstützt</translation>
    </message>
    <message>
        <source>The context is {n_ctx} tokens, the most this model was made for.</source>
        <translation>Der Kontext umfasst {n_ctx} Token, mehr kann dieses Modell nicht.</translation>
    </message>
    <message>
        <source>The conversation outgrew the context of {limit} tokens: its oldest {dropped} messages are no longer read.</source>
        <translation>Das Gespräch ist dem Kontext von {limit} Token entwachsen: Die ältesten {dropped} Nachrichten werden nicht mehr gelesen.</translation>
    </message>
    <message>
        <source>The folder {folder} cannot be read ({why}).</source>
        <translation>Der Ordner {folder} kann nicht gelesen werden ({why}).</translation>
    </message>
    <message>
        <source>The model&apos;s chat template cannot be used ({reason}); a plain one is.</source>
        <translation>Die Chat-Vorlage des Modells ist nicht verwendbar ({reason}); stattdessen wird eine einfache benutzt.</translation>
    </message>
    <message>
        <source>The settings in {path} are not valid TOML ({reason}). The defaults are used.</source>
        <translation>Die Einstellungen in {path} sind kein gültiges TOML ({reason}). Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>The settings in {path} cannot be read ({reason}). The defaults are used.</source>
        <translation>Die Einstellungen in {path} sind nicht lesbar ({reason}). Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>The settings were not valid TOML ({reason}) and were set aside as {aside}. The defaults are used.</source>
        <translation>Die Einstellungen waren kein gültiges TOML ({reason}) und wurden als {aside} beiseitegelegt. Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>The stored tuning of this pair cannot be read. Tune again to know its best γ.</source>
        <translation>Die gespeicherte Abstimmung dieses Paares ist nicht lesbar. Stimmen Sie es neu ab, um sein bestes γ zu kennen.</translation>
    </message>
    <message>
        <source>The stored tuning of this pair was measured with {what} and is not used. Tune again to know its best γ.</source>
        <translation>Die gespeicherte Abstimmung dieses Paares wurde mit {what} gemessen und wird nicht benutzt. Stimmen Sie es neu ab, um sein bestes γ zu kennen.</translation>
    </message>
    <message>
        <source>The window&apos;s settings in {path} are not valid TOML ({reason}). The defaults are used.</source>
        <translation>Die Einstellungen des Fensters in {path} sind kein gültiges TOML ({reason}). Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>The window&apos;s settings in {path} cannot be read ({reason}). The defaults are used.</source>
        <translation>Die Einstellungen des Fensters in {path} sind nicht lesbar ({reason}). Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>The window&apos;s settings were not valid TOML ({reason}) and were set aside as {aside}. The defaults are used.</source>
        <translation>Die Einstellungen des Fensters waren kein gültiges TOML ({reason}) und wurden als {aside} beiseitegelegt. Die Voreinstellungen gelten.</translation>
    </message>
    <message>
        <source>There is no folder at {folder}.</source>
        <translation>Bei {folder} ist kein Ordner.</translation>
    </message>
    <message>
        <source>Timing both models</source>
        <translation>Die Zeiten beider Modelle werden gemessen</translation>
    </message>
    <message>
        <source>Timing both models with fewer threads</source>
        <translation>Beide Modelle mit weniger Threads messen</translation>
    </message>
    <message>
        <source>Timing both models, {depth} tokens deep</source>
        <translation>Beide Modelle messen, {depth} Token tief</translation>
    </message>
    <message>
        <source>Timing the passes of the best γ</source>
        <translation>Die Durchgänge der besten γ messen</translation>
    </message>
    <message>
        <source>Trying every γ, {gamma}: {kind}</source>
        <translation>Jedes γ versuchen, {gamma}: {kind}</translation>
    </message>
    <message>
        <source>Trying γ {gamma}: {kind}</source>
        <translation>γ {gamma} versuchen: {kind}</translation>
    </message>
    <message>
        <source>What was found cannot be stored in {folder} ({reason}): it is in force only until the models are loaded again.</source>
        <translation>Was gefunden wurde, kann in {folder} nicht gespeichert werden ({reason}): Es gilt nur, bis die Modelle neu geladen werden.</translation>
    </message>
    <message>
        <source>Writing plainly, at temperature {temperature}: {kind}</source>
        <translation>Einfach schreiben, bei Temperatur {temperature}: {kind}</translation>
    </message>
    <message>
        <source>Writing plainly, greedily: {kind}</source>
        <translation>Einfach schreiben, gierig: {kind}</translation>
    </message>
    <message>
        <source>a Python package index</source>
        <translation>ein Python-Paketindex</translation>
    </message>
    <message>
        <source>a projector was packed into it, as Ollama does, and llama.cpp wants that apart</source>
        <translation>ein Projektor wurde hineingepackt, wie Ollama es tut, und llama.cpp will den getrennt</translation>
    </message>
    <message>
        <source>aborted</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>adds no {end} token (add_{field} is false)</source>
        <translation>fügt kein {end}-Token hinzu (add_{field} ist false)</translation>
    </message>
    <message>
        <source>an assertion in its native code failed ({assertion})</source>
        <translation>eine Zusicherung in seinem nativen Code wurde verletzt ({assertion})</translation>
    </message>
    <message>
        <source>another driver ({driver})</source>
        <translation>einem anderen Treiber ({driver})</translation>
    </message>
    <message>
        <source>begins</source>
        <translation>beginnt</translation>
    </message>
    <message>
        <source>both models together need {need} of memory and {free} are free</source>
        <translation>beide Modelle zusammen brauchen {need} Speicher, und {free} sind frei</translation>
    </message>
    <message>
        <source>code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>ends</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>everyday</source>
        <translation>Alltag</translation>
    </message>
    <message>
        <source>explanation</source>
        <translation>Erklärung</translation>
    </message>
    <message>
        <source>it begins with zeros, as a download does that never finished</source>
        <translation>sie beginnt mit Nullen wie ein Download, der nie fertig wurde</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>er antwortet nicht</translation>
    </message>
    <message>
        <source>it does not begin as a GGUF file does</source>
        <translation>sie beginnt nicht wie eine GGUF-Datei</translation>
    </message>
    <message>
        <source>it does not say what architecture it has</source>
        <translation>sie sagt nicht, welche Architektur sie hat</translation>
    </message>
    <message>
        <source>it drafts from its target&apos;s inner states, which Foreword does not use</source>
        <translation>es entwirft aus inneren Zuständen des Zielmodells, die Foreword nicht benutzt</translation>
    </message>
    <message>
        <source>it ended with exit code {code}</source>
        <translation>er endete mit dem Code {code}</translation>
    </message>
    <message>
        <source>it has no vocabulary, so it is no language model</source>
        <translation>es hat kein Vokabular und ist also kein Sprachmodell</translation>
    </message>
    <message>
        <source>it has only {count} bytes</source>
        <translation>sie hat nur {count} Byte</translation>
    </message>
    <message>
        <source>it holds a vocabulary and no weights</source>
        <translation>es enthält ein Vokabular und keine Gewichte</translation>
    </message>
    <message>
        <source>it holds statistics for quantising (an importance matrix), and no model</source>
        <translation>es enthält Statistik zum Quantisieren (eine Importance Matrix) und kein Modell</translation>
    </message>
    <message>
        <source>it is a 7-Zip archive; unpack it first</source>
        <translation>sie ist ein 7-Zip-Archiv; entpacken Sie es zuerst</translation>
    </message>
    <message>
        <source>it is a Git LFS pointer, not the file it points to</source>
        <translation>sie ist ein Git-LFS-Zeiger, nicht die Datei, auf die er zeigt</translation>
    </message>
    <message>
        <source>it is a Python pickle, such as a PyTorch checkpoint</source>
        <translation>sie ist ein Python-Pickle, etwa ein PyTorch-Checkpoint</translation>
    </message>
    <message>
        <source>it is a part of a speech model</source>
        <translation>es ist ein Teil eines Sprachausgabemodells</translation>
    </message>
    <message>
        <source>it is a projector, which lets another model see pictures or hear</source>
        <translation>es ist ein Projektor, der ein anderes Modell Bilder sehen oder hören lässt</translation>
    </message>
    <message>
        <source>it is a reranker, which judges how well a text answers a question</source>
        <translation>es ist ein Reranker, der beurteilt, wie gut ein Text eine Frage beantwortet</translation>
    </message>
    <message>
        <source>it is a safetensors file; a GGUF of the same model is needed</source>
        <translation>sie ist eine Safetensors-Datei; gebraucht wird ein GGUF desselben Modells</translation>
    </message>
    <message>
        <source>it is a zip archive or a PyTorch checkpoint</source>
        <translation>sie ist ein Zip-Archiv oder ein PyTorch-Checkpoint</translation>
    </message>
    <message>
        <source>it is an HDF5 file</source>
        <translation>sie ist eine HDF5-Datei</translation>
    </message>
    <message>
        <source>it is an adapter (LoRA), which changes another model</source>
        <translation>es ist ein Adapter (LoRA), der ein anderes Modell verändert</translation>
    </message>
    <message>
        <source>it is an embedding model, which turns texts into numbers for searching</source>
        <translation>es ist ein Embedding-Modell, das Texte für die Suche in Zahlen verwandelt</translation>
    </message>
    <message>
        <source>it is an encoder with a decoder, and only decoders are run here</source>
        <translation>es ist ein Encoder mit Decoder, und hier laufen nur Decoder</translation>
    </message>
    <message>
        <source>it is an old GGLA adapter, which llama.cpp no longer reads</source>
        <translation>sie ist ein alter GGLA-Adapter, den llama.cpp nicht mehr liest</translation>
    </message>
    <message>
        <source>it is compressed with {method}; unpack it first</source>
        <translation>sie ist mit {method} komprimiert; entpacken Sie sie zuerst</translation>
    </message>
    <message>
        <source>it is empty</source>
        <translation>sie ist leer</translation>
    </message>
    <message>
        <source>it is in the old {format} format, which llama.cpp no longer reads</source>
        <translation>sie hat das alte Format {format}, das llama.cpp nicht mehr liest</translation>
    </message>
    <message>
        <source>it is in version 1 of the format, which llama.cpp no longer reads</source>
        <translation>sie hat Version 1 des Formats, die llama.cpp nicht mehr liest</translation>
    </message>
    <message>
        <source>it is in version {version} of the format, and 2 and 3 are known</source>
        <translation>sie hat Version {version} des Formats, und bekannt sind 2 und 3</translation>
    </message>
    <message>
        <source>it is larger than the target, so it would only slow it down</source>
        <translation>es ist größer als das Zielmodell und würde es nur bremsen</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>es ist kein JSON</translation>
    </message>
    <message>
        <source>it is not a regular file</source>
        <translation>es ist keine gewöhnliche Datei</translation>
    </message>
    <message>
        <source>it is not much smaller than the target, so it would save no time</source>
        <translation>es ist kaum kleiner als das Zielmodell und würde keine Zeit sparen</translation>
    </message>
    <message>
        <source>it is quantised as {quantisation}, which was removed from llama.cpp; fetch the model&apos;s Q4_0 file instead</source>
        <translation>sie ist als {quantisation} quantisiert, was aus llama.cpp entfernt wurde; holen Sie stattdessen die Q4_0-Datei des Modells</translation>
    </message>
    <message>
        <source>it is the target itself</source>
        <translation>es ist das Zielmodell selbst</translation>
    </message>
    <message>
        <source>it leads in circles</source>
        <translation>es führt im Kreis</translation>
    </message>
    <message>
        <source>it looks like JSON, perhaps an error message saved under this name</source>
        <translation>sie sieht aus wie JSON, vielleicht eine Fehlermeldung, die unter diesem Namen gespeichert wurde</translation>
    </message>
    <message>
        <source>it looks like a web page, perhaps an error page saved under this name</source>
        <translation>sie sieht aus wie eine Webseite, vielleicht eine Fehlerseite, die unter diesem Namen gespeichert wurde</translation>
    </message>
    <message>
        <source>it named no commit</source>
        <translation>er nannte keinen Commit</translation>
    </message>
    <message>
        <source>it ran out of memory</source>
        <translation>der Speicher reichte nicht</translation>
    </message>
    <message>
        <source>it sent no list of models</source>
        <translation>er schickte keine Liste von Modellen</translation>
    </message>
    <message>
        <source>it was written for big-endian machines</source>
        <translation>sie wurde für Big-Endian-Rechner geschrieben</translation>
    </message>
    <message>
        <source>it writes whole texts by diffusion and not token by token</source>
        <translation>es schreibt ganze Texte durch Diffusion und nicht Token für Token</translation>
    </message>
    <message>
        <source>its architecture {name} needs a newer llama.cpp; update Foreword or choose another file</source>
        <translation>ihre Architektur {name} braucht ein neueres llama.cpp; aktualisieren Sie Foreword oder wählen Sie eine andere Datei</translation>
    </message>
    <message>
        <source>its certificate is not trusted by this computer</source>
        <translation>dieser Rechner vertraut seinem Zertifikat nicht</translation>
    </message>
    <message>
        <source>its tensor type {number} needs a newer llama.cpp; update Foreword or choose another file</source>
        <translation>ihr Tensortyp {number} braucht ein neueres llama.cpp; aktualisieren Sie Foreword oder wählen Sie eine andere Datei</translation>
    </message>
    <message>
        <source>killed</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>no connection within {seconds} seconds</source>
        <translation>keine Verbindung innerhalb von {seconds} Sekunden</translation>
    </message>
    <message>
        <source>no draft is chosen</source>
        <translation>kein Entwurfsmodell ist gewählt</translation>
    </message>
    <message>
        <source>not an address</source>
        <translation>keine Adresse</translation>
    </message>
    <message>
        <source>rewriting</source>
        <translation>Umschreiben</translation>
    </message>
    <message>
        <source>segmentation fault</source>
        <translation>Speicherzugriffsfehler</translation>
    </message>
    <message>
        <source>signal {number} ({name})</source>
        <translation>Signal {number} ({name})</translation>
    </message>
    <message>
        <source>signal {number} ({name}, by someone or for want of memory)</source>
        <translation>Signal {number} ({name}, von jemandem oder aus Mangel an Speicher)</translation>
    </message>
    <message>
        <source>some tokens read otherwise in the target than in the draft</source>
        <translation>einige Token lauten im Zielmodell anders als im Entwurfsmodell</translation>
    </message>
    <message>
        <source>story</source>
        <translation>Geschichte</translation>
    </message>
    <message>
        <source>structured output</source>
        <translation>strukturierte Ausgabe</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>that is no address of the web</source>
        <translation>das ist keine Adresse im Web</translation>
    </message>
    <message>
        <source>the Hugging Face Hub</source>
        <translation>Hugging Face Hub</translation>
    </message>
    <message>
        <source>the answer is far too long</source>
        <translation>die Antwort ist viel zu lang</translation>
    </message>
    <message>
        <source>the connection ended early</source>
        <translation>die Verbindung endete vorzeitig</translation>
    </message>
    <message>
        <source>the connection fell silent</source>
        <translation>die Verbindung verstummte</translation>
    </message>
    <message>
        <source>the link leads nowhere</source>
        <translation>der Link führt ins Leere</translation>
    </message>
    <message>
        <source>the proxy refuses</source>
        <translation>der Proxy lehnt ab</translation>
    </message>
    <message>
        <source>the sha256 differs</source>
        <translation>die sha256 ist eine andere</translation>
    </message>
    <message>
        <source>the system&apos;s keyring</source>
        <translation>dem Schlüsselbund des Systems</translation>
    </message>
    <message>
        <source>the target {ours} and the draft {theirs}</source>
        <translation>das Zielmodell {ours}, und das Entwurfsmodell {theirs}</translation>
    </message>
    <message>
        <source>the target&apos;s tokenizer is {ours} and the draft&apos;s is {theirs}</source>
        <translation>der Tokenizer des Zielmodells ist {ours}, der des Entwurfsmodells {theirs}</translation>
    </message>
    <message>
        <source>the target&apos;s vocabulary has {ours} tokens and the draft&apos;s {theirs}, {apart} apart where at most {most} can be padding</source>
        <translation>das Vokabular des Zielmodells hat {ours} Token und das des Entwurfsmodells {theirs}: {apart} Unterschied, wo höchstens {most} Füllung sein können</translation>
    </message>
    <message>
        <source>the {end} token is {ours} in the target and {theirs} in the draft</source>
        <translation>das {end}-Token ist {ours} im Zielmodell und {theirs} im Entwurfsmodell</translation>
    </message>
    <message>
        <source>the {role} has no vocabulary in its file</source>
        <translation>die Datei des {role}s enthält kein Vokabular</translation>
    </message>
    <message>
        <source>the {role}&apos;s memory ({architecture}) cannot take back a rejected token</source>
        <translation>der Speicher des {role}s ({architecture}) kann ein abgelehntes Token nicht zurücknehmen</translation>
    </message>
    <message>
        <source>token {token} reads {ours} in the target ({all} tokens) and {theirs} in the draft ({others} tokens)</source>
        <translation>Token {token} lautet {ours} im Zielmodell ({all} Token) und {theirs} im Entwurfsmodell ({others} Token)</translation>
    </message>
    <message>
        <source>{count} of its vocabulary&apos;s texts are there twice</source>
        <translation>{count} Texte seines Vokabulars sind doppelt da</translation>
    </message>
    <message>
        <source>{name} needs {need} of memory and {free} are free: it is read from the disk again and again, which is slow. Close other programs, or choose a smaller model.</source>
        <translation>{name} braucht {need} Speicher, und {free} sind frei: Es wird immer wieder von der Platte gelesen, und das ist langsam. Schließen Sie andere Programme oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>{path} cannot be read as one of Ollama&apos;s lists. The model is passed over.</source>
        <translation>{path} kann nicht als Liste von Ollama gelesen werden. Das Modell wird übergangen.</translation>
    </message>
    <message>
        <source>{place} its prompts with a {end} token (add_{field} is true)</source>
        <translation>{place} Eingaben mit einem {end}-Token (add_{field} ist true)</translation>
    </message>
    <message>
        <source>{some} of {all} layers of {name} are on the GPU: its memory does not hold more.</source>
        <translation>{some} von {all} Schichten von {name} liegen auf der Grafikkarte: Mehr fasst ihr Speicher nicht.</translation>
    </message>
</context>
<context>
    <name>Session</name>
    <message>
        <source>The comparison is being run again.</source>
        <translation>Der Vergleich läuft noch einmal.</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Back to the default: {value}</source>
        <translation>Zurück zum Standard: {value}</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
</context>
<context>
    <name>Settings</name>
    <message>
        <source>A number from {low} to {high}</source>
        <translation>Eine Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>A whole number from {low} to {high}</source>
        <translation>Eine ganze Zahl von {low} bis {high}</translation>
    </message>
    <message>
        <source>Above 1, tokens that were used lately become less likely; 1 is off.</source>
        <translation>Über 1 werden kürzlich benutzte Token unwahrscheinlicher; 1 schaltet es aus.</translation>
    </message>
    <message>
        <source>After how many tokens a reply is cut; none lets it fill the context.</source>
        <translation>Nach wie vielen Token eine Antwort endet; „ohne“ lässt sie den Kontext füllen.</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>CHAT</source>
        <translation>CHAT</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>DRAFTING</source>
        <translation>ENTWERFEN</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Häufigkeitsabzug</translation>
    </message>
    <message>
        <source>How freely tokens are chosen; 0 always takes the likeliest.</source>
        <translation>Wie frei Token gewählt werden; 0 nimmt immer das wahrscheinlichste.</translation>
    </message>
    <message>
        <source>How many of a model&apos;s layers the graphics processor computes; all takes what fits.</source>
        <translation>Wie viele Schichten eines Modells die Grafikkarte rechnet; „alle“ nimmt, was hineinpasst.</translation>
    </message>
    <message>
        <source>How many tokens are drafted in each round; 0 is plain decoding, auto what pays here.</source>
        <translation>Wie viele Token in jeder Runde entworfen werden; 0 ist ohne Entwurf, „auto“, was sich hier lohnt.</translation>
    </message>
    <message>
        <source>How many tokens of conversation and reply the models see at once; memory grows with it.</source>
        <translation>Wie viele Token von Gespräch und Antwort die Modelle auf einmal sehen; der Speicherbedarf wächst mit.</translation>
    </message>
    <message>
        <source>In per cent; everything around the text grows with it.</source>
        <translation>In Prozent; alles um den Text herum wächst mit.</translation>
    </message>
    <message>
        <source>LOOK</source>
        <translation>AUSSEHEN</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Layers on the GPU</source>
        <translation>Schichten auf der GPU</translation>
    </message>
    <message>
        <source>Light or dark colours, or as the system has it.</source>
        <translation>Helle oder dunkle Farben, oder wie im System eingestellt.</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>MODELS</source>
        <translation>MODELLE</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Models folder</source>
        <translation>Modellordner</translation>
    </message>
    <message>
        <source>Models of other apps</source>
        <translation>Modelle anderer Programme</translation>
    </message>
    <message>
        <source>More folders</source>
        <translation>Weitere Ordner</translation>
    </message>
    <message>
        <source>Nothing moves that need not; auto does as the system says.</source>
        <translation>Nichts bewegt sich ohne Not; „auto“ richtet sich nach dem System.</translation>
    </message>
    <message>
        <source>Only the k likeliest tokens are candidates; 0 is off.</source>
        <translation>Nur die k wahrscheinlichsten Token kommen infrage; 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together reach this probability are candidates; 1 is off.</source>
        <translation>Nur die wahrscheinlichsten Token, die zusammen diese Wahrscheinlichkeit erreichen, kommen infrage; 1 schaltet es aus.</translation>
    </message>
    <message>
        <source>Only tokens at least this likely, relative to the likeliest, are candidates; 0 is off.</source>
        <translation>Nur Token, die gemessen am wahrscheinlichsten mindestens so wahrscheinlich sind, kommen infrage; 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Other folders whose models are listed too; nothing in them is ever changed.</source>
        <translation>Andere Ordner, deren Modelle auch aufgezählt werden; darin wird nie etwas geändert.</translation>
    </message>
    <message>
        <source>PENALTIES</source>
        <translation>ABZÜGE</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Vorkommensabzug</translation>
    </message>
    <message>
        <source>Processor threads to compute with; auto takes the performance cores.</source>
        <translation>Prozessor-Threads zum Rechnen; „auto“ nimmt die Hochleistungskerne.</translation>
    </message>
    <message>
        <source>REPLIES</source>
        <translation>ANTWORTEN</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Überlegung</translation>
    </message>
    <message>
        <source>Recast drafts</source>
        <translation>Entwurfsmodell umrechnen</translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation>Weniger Bewegung</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Wiederholungsabzug</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemanweisung</translation>
    </message>
    <message>
        <source>Taken from the score of a token for each time it was used lately; 0 is off.</source>
        <translation>Wird von der Wertung eines Tokens so oft abgezogen, wie es kürzlich benutzt wurde; 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Taken once from the score of every token that was used lately; 0 is off.</source>
        <translation>Wird einmal von der Wertung jedes kürzlich benutzten Tokens abgezogen; 0 schaltet es aus.</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>The language of the window, from the next start on; models answer in their own.</source>
        <translation>Die Sprache des Fensters, ab dem nächsten Start; Modelle antworten in ihrer eigenen.</translation>
    </message>
    <message>
        <source>The model whose words you read, as last chosen in the window.</source>
        <translation>Das Modell, dessen Wörter Sie lesen, wie zuletzt im Fenster gewählt.</translation>
    </message>
    <message>
        <source>The same seed and settings give the same draws; none draws afresh for each reply.</source>
        <translation>Gleicher Startwert und gleiche Einstellungen ergeben dieselbe Ziehung; „ohne“ zieht für jede Antwort neu.</translation>
    </message>
    <message>
        <source>The small model that guesses ahead, as last chosen in the window.</source>
        <translation>Das kleine Modell, das vorausrät, wie zuletzt im Fenster gewählt.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>This may be {words}.</source>
        <translation>Möglich ist: {words}.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>What the model is told before the first message.</source>
        <translation>Was dem Modell vor der ersten Nachricht gesagt wird.</translation>
    </message>
    <message>
        <source>Where model files are kept and looked for.</source>
        <translation>Wo Modelldateien liegen und gesucht werden.</translation>
    </message>
    <message>
        <source>Where words came from</source>
        <translation>Herkunft der Wörter</translation>
    </message>
    <message>
        <source>Whether a draft is rounded anew for this processor where that is faster; the copy lies in the cache folder, and what is written stays the target&apos;s own.</source>
        <translation>Ob ein Entwurfsmodell für diesen Prozessor neu gerundet wird, wo das schneller ist; die Kopie liegt im Cache-Ordner, und was geschrieben wird, bleibt das Eigene des Zielmodells.</translation>
    </message>
    <message>
        <source>Whether a reasoning model thinks before it answers; auto leaves it to the model.</source>
        <translation>Ob ein überlegendes Modell nachdenkt, bevor es antwortet; „auto“ überlässt es dem Modell.</translation>
    </message>
    <message>
        <source>Whether a reply&apos;s words are tinted by how they were found.</source>
        <translation>Ob die Wörter einer Antwort nach ihrer Herkunft eingefärbt werden.</translation>
    </message>
    <message>
        <source>Whether models in the stores of Ollama, LM Studio and the Hugging Face Hub are listed.</source>
        <translation>Ob auch Modelle aufgezählt werden, die Ollama, LM Studio und der Hugging Face Hub gespeichert haben.</translation>
    </message>
    <message>
        <source>Whether the chat moves along with its end, for as long as you are at the end.</source>
        <translation>Ob der Chat mit dem Ende mitwandert, solange Sie am Ende sind.</translation>
    </message>
    <message>
        <source>Whether γ is chosen anew for each reply, from how often drafts were accepted so far.</source>
        <translation>Ob γ für jede Antwort neu gewählt wird, danach, wie oft Entwürfe bisher angenommen wurden.</translation>
    </message>
    <message>
        <source>While a reply is written</source>
        <translation>Während eine Antwort entsteht</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>any text</source>
        <translation>beliebiger Text</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>dark</source>
        <translation>dunkel</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Standard</translation>
    </message>
    <message>
        <source>follow</source>
        <translation>mitgehen</translation>
    </message>
    <message>
        <source>light</source>
        <translation>hell</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>or {word}</source>
        <translation>oder {word}</translation>
    </message>
    <message>
        <source>stay</source>
        <translation>stehen bleiben</translation>
    </message>
    <message>
        <source>system</source>
        <translation>System</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>γ</source>
        <translation>γ</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Context, layers, threads and recasting count from the next time models are loaded.</source>
        <translation>Kontext, Schichten, Threads und Umrechnen gelten ab dem nächsten Laden der Modelle.</translation>
    </message>
    <message>
        <source>Load them again now</source>
        <translation>Jetzt neu laden</translation>
    </message>
    <message>
        <source>No setting is called that.</source>
        <translation>So heißt keine Einstellung.</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>What you change holds at once.</source>
        <translation>Änderungen gelten sofort.</translation>
    </message>
</context>
<context>
    <name>ShortcutsPage</name>
    <message>
        <source>Everything can be done by keyboard. {keys} finds any command by name.</source>
        <translation>Alles geht mit der Tastatur. {keys} findet jeden Befehl beim Namen.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Search shortcuts</source>
        <translation>Tastenkürzel durchsuchen</translation>
    </message>
    <message>
        <source>Search shortcuts, or type a key</source>
        <translation>Tastenkürzel durchsuchen, oder eine Taste eintippen</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Hide the chats</source>
        <translation>Chats ausblenden</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>Letzte 30 Tage</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Nothing found for “{text}”.</source>
        <translation>Nichts gefunden für „{text}“.</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Your chats will be listed here. They stay on this computer.</source>
        <translation>Hier werden Ihre Chats stehen. Sie bleiben auf diesem Rechner.</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation>{n} gefunden</translation>
    </message>
</context>
<context>
    <name>Table</name>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
</context>
<context>
    <name>TextField</name>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
</context>
<context>
    <name>Tint</name>
    <message>
        <source>Accepted: the draft gave it q = {q}, the target p = {p}.</source>
        <translation>Angenommen: Das Entwurfsmodell gab ihm q = {q}, das Zielmodell p = {p}.</translation>
    </message>
    <message>
        <source>Bonus: every drafted token had passed, so the target added this one (p = {p}).</source>
        <translation>Bonus: Alle entworfenen Token hatten bestanden, darum fügte das Zielmodell dieses hinzu (p = {p}).</translation>
    </message>
    <message>
        <source>Corrected: the draft proposed another token, which it gave q = {q} and the target only p = {p}. The target chose this one instead.</source>
        <translation>Korrigiert: Das Entwurfsmodell schlug ein anderes Token vor, dem es q = {q} gab und das Zielmodell nur p = {p}. Das Zielmodell wählte stattdessen dieses.</translation>
    </message>
    <message>
        <source>Here the two replies part.</source>
        <translation>Hier trennen sich die beiden Antworten.</translation>
    </message>
    <message>
        <source>Plain: nothing was drafted here. The target gave it p = {p}.</source>
        <translation>Einfach: Hier wurde nichts entworfen. Das Zielmodell gab ihm p = {p}.</translation>
    </message>
</context>
<context>
    <name>TokenField</name>
    <message>
        <source>A token from {source} is used.</source>
        <translation>Ein Token aus {source} wird benutzt.</translation>
    </message>
    <message>
        <source>Access token</source>
        <translation>Zugangs-Token</translation>
    </message>
    <message>
        <source>Access token, begins with hf_</source>
        <translation>Zugangs-Token, beginnt mit hf_</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>Vergessen</translation>
    </message>
    <message>
        <source>It is kept in the system’s keyring or, without one, in a private file.</source>
        <translation>Es wird im Schlüsselbund des Systems aufbewahrt oder, wo es keinen gibt, in einer privaten Datei.</translation>
    </message>
    <message>
        <source>Keep it</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>Make a token</source>
        <translation>Token erstellen</translation>
    </message>
    <message>
        <source>Open the page</source>
        <translation>Seite öffnen</translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source> auto</source>
        <translation> auto</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 Thread</translation>
    </message>
    <message>
        <source>Both ways side by side, to see what drafting is worth</source>
        <translation>Beides nebeneinander, um zu sehen, was das Entwerfen bringt</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>How the next message is answered</source>
        <translation>Wie die nächste Nachricht beantwortet wird</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>No draft</source>
        <translation>Kein Entwurfsmodell</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source> best</source>
        <translation> beste</translation>
    </message>
    <message>
        <source> guess</source>
        <translation> geraten</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>Auto</translation>
    </message>
    <message>
        <source>Auto waits until this pair is tuned; until then γ is a guess</source>
        <translation>Auto wartet, bis dieses Paar abgestimmt ist; bis dahin ist γ geraten</translation>
    </message>
    <message>
        <source>Choose γ anew for each reply, from how often drafts were accepted</source>
        <translation>γ für jede Antwort neu wählen, danach, wie oft Entwürfe angenommen wurden</translation>
    </message>
    <message>
        <source>Measure which γ is best for this pair on this computer</source>
        <translation>Messen, welches γ für dieses Paar auf diesem Computer das beste ist</translation>
    </message>
    <message>
        <source>Not loaded</source>
        <translation>Nicht geladen</translation>
    </message>
    <message>
        <source>Nothing is loaded</source>
        <translation>Nichts ist geladen</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Einfach</translation>
    </message>
    <message>
        <source>Show the chats</source>
        <translation>Chats zeigen</translation>
    </message>
    <message>
        <source>Show the live panel</source>
        <translation>Messwerte zeigen</translation>
    </message>
    <message>
        <source>Speculation is off</source>
        <translation>Spekulation ist aus</translation>
    </message>
    <message>
        <source>Speculative</source>
        <translation>Spekulativ</translation>
    </message>
    <message>
        <source>The draft guesses, the target checks: its own words, sooner</source>
        <translation>Das Entwurfsmodell rät, das Zielmodell prüft: seine eigenen Wörter, nur früher</translation>
    </message>
    <message>
        <source>The engine stopped</source>
        <translation>Der Modellprozess ist ausgefallen</translation>
    </message>
    <message>
        <source>The target writes alone, one token at a time</source>
        <translation>Das Zielmodell schreibt allein, Token für Token</translation>
    </message>
    <message>
        <source>Tune</source>
        <translation>Abstimmen</translation>
    </message>
    <message>
        <source>drafted by {name}</source>
        <translation>Entwurf: {name}</translation>
    </message>
    <message>
        <source>not drafting</source>
        <translation>ohne Entwurf</translation>
    </message>
    <message>
        <source>plain is faster here</source>
        <translation>einfach ist hier schneller</translation>
    </message>
    <message>
        <source>{n} threads</source>
        <translation>{n} Threads</translation>
    </message>
    <message>
        <source>{tip}; a guess until it is tuned</source>
        <translation>{tip}; geraten, bis es abgestimmt ist</translation>
    </message>
    <message>
        <source>γ: how many tokens the draft guesses in each round</source>
        <translation>γ: wie viele Token das Entwurfsmodell in jeder Runde rät</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>Ask anything. It stays on this computer.</source>
        <translation>Fragen Sie, was Sie möchten. Es bleibt auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>Zum Neuesten springen</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Clear what is finished</source>
        <translation>Fertiges entfernen</translation>
    </message>
    <message>
        <source>DOWNLOADS</source>
        <translation>DOWNLOADS</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
</context>
<context>
    <name>TrayButton</name>
    <message>
        <source>Downloads: all finished</source>
        <translation>Downloads: alle fertig</translation>
    </message>
    <message>
        <source>Downloads: one cannot go on</source>
        <translation>Downloads: Einer kann nicht weiter</translation>
    </message>
    <message>
        <source>Downloads: {part} are here</source>
        <translation>Downloads: {part} sind da</translation>
    </message>
</context>
<context>
    <name>Tuning</name>
    <message>
        <source>1 token wide: {times} passes, {time}</source>
        <translation>1 Token breit: {times} Durchgänge, {time}</translation>
    </message>
    <message>
        <source>All pass</source>
        <translation>Alle bestehen</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>Als Text</translation>
    </message>
    <message>
        <source>Auto: {reason}</source>
        <translation>Auto: {reason}</translation>
    </message>
    <message>
        <source>Between {low} and {high}, nine times in ten, from {tokens} that were tested here. Press to use it.</source>
        <translation>Zwischen {low} und {high}, in neun von zehn Fällen, nach {tokens}, die hier geprüft wurden. Drücken, um es zu verwenden.</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Curve</source>
        <translation>Kurve</translation>
    </message>
    <message>
        <source>How far drafting ahead pays on this computer.</source>
        <translation>Wie weit sich Vorausentwerfen auf diesem Computer lohnt.</translation>
    </message>
    <message>
        <source>How many tokens to draft in each round depends on the pair, the text and the computer. Measured here, the curve says what each γ is worth.</source>
        <translation>Wie viele Token je Runde zu entwerfen sind, hängt vom Paar, vom Text und vom Computer ab. Hier gemessen, sagt die Kurve, was jedes γ wert ist.</translation>
    </message>
    <message>
        <source>It may be no faster: nine times in ten it is {low} to {high}.</source>
        <translation>Vielleicht ist es nicht schneller: In neun von zehn Fällen ist es {low} bis {high}.</translation>
    </message>
    <message>
        <source>Kind of text</source>
        <translation>Art des Textes</translation>
    </message>
    <message>
        <source>Measure again</source>
        <translation>Noch einmal messen</translation>
    </message>
    <message>
        <source>Measured {when} in {time}, in the quick form.</source>
        <translation>Gemessen {when} in {time}, in der schnellen Form.</translation>
    </message>
    <message>
        <source>Measured {when} in {time}.</source>
        <translation>Gemessen {when} in {time}.</translation>
    </message>
    <message>
        <source>Measuring times both models and writes short replies. It takes up to two minutes, or a quarter of a minute in the quick form; with a large model it takes several.</source>
        <translation>Gemessen werden beide Modelle und kurze Antworten. Das dauert bis zu zwei Minuten, in der schnellen Form eine Viertelminute; mit einem großen Modell mehrere Minuten.</translation>
    </message>
    <message>
        <source>Measuring γ</source>
        <translation>γ messen</translation>
    </message>
    <message>
        <source>Measuring γ on this computer</source>
        <translation>γ wird auf diesem Computer gemessen</translation>
    </message>
    <message>
        <source>Nine times in ten</source>
        <translation>Neun von zehn Malen</translation>
    </message>
    <message>
        <source>Per round</source>
        <translation>Je Runde</translation>
    </message>
    <message>
        <source>Plain decoding is best for {kind}.</source>
        <translation>Am besten für {kind}: einfaches Schreiben.</translation>
    </message>
    <message>
        <source>Plain decoding is best for {kind}: what drafting promises is not sure, or was not kept when it was tried.</source>
        <translation>Am besten für {kind}: einfaches Schreiben. Was Entwerfen verspricht, ist nicht sicher oder hat sich beim Ausprobieren nicht bestätigt.</translation>
    </message>
    <message>
        <source>Plain decoding would be about {gain} faster for this conversation</source>
        <translation>Einfaches Schreiben wäre in diesem Gespräch etwa {gain} schneller</translation>
    </message>
    <message>
        <source>Put this advice away</source>
        <translation>Diesen Rat wegräumen</translation>
    </message>
    <message>
        <source>Quick</source>
        <translation>Schnell</translation>
    </message>
    <message>
        <source>Save as CSV…</source>
        <translation>Als CSV sichern…</translation>
    </message>
    <message>
        <source>Save as PNG…</source>
        <translation>Als PNG sichern…</translation>
    </message>
    <message>
        <source>Save the curve</source>
        <translation>Die Kurve sichern</translation>
    </message>
    <message>
        <source>Show the curve as text, in a table</source>
        <translation>Die Kurve als Text zeigen, in einer Tabelle</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Wird beendet …</translation>
    </message>
    <message>
        <source>Target pass</source>
        <translation>Zieldurchgang</translation>
    </message>
    <message>
        <source>That plain decoding is faster here is a guess from a short timing.</source>
        <translation>Dass einfaches Schreiben hier schneller ist, ist geraten, aus einer kurzen Messung.</translation>
    </message>
    <message>
        <source>The curve as text</source>
        <translation>Die Kurve als Text</translation>
    </message>
    <message>
        <source>The kind of text that the curve is for</source>
        <translation>Die Art des Textes, für die die Kurve gilt</translation>
    </message>
    <message>
        <source>Tried</source>
        <translation>Versucht</translation>
    </message>
    <message>
        <source>Tune again</source>
        <translation>Neu abstimmen</translation>
    </message>
    <message>
        <source>Tune γ</source>
        <translation>γ abstimmen</translation>
    </message>
    <message>
        <source>Tuning</source>
        <translation>Abstimmung</translation>
    </message>
    <message>
        <source>Use {gamma}</source>
        <translation>{gamma} verwenden</translation>
    </message>
    <message>
        <source>all kinds</source>
        <translation>alle Arten</translation>
    </message>
    <message>
        <source>best</source>
        <translation>bestes</translation>
    </message>
    <message>
        <source>breaks even with plain</source>
        <translation>so schnell wie einfach</translation>
    </message>
    <message>
        <source>nine times in ten</source>
        <translation>in neun von zehn Fällen</translation>
    </message>
    <message>
        <source>pass not timed itself</source>
        <translation>Durchgang nicht selbst gemessen</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>the first passes: {share}</source>
        <translation>das erste besteht: {share}</translation>
    </message>
    <message>
        <source>the first {count} all pass: {share}</source>
        <translation>die ersten {count} bestehen alle: {share}</translation>
    </message>
    <message>
        <source>tried in fact</source>
        <translation>wirklich versucht</translation>
    </message>
    <message>
        <source>{best} In force is {gamma}: {times}.</source>
        <translation>{best} In Kraft ist {gamma}: {times}.</translation>
    </message>
    <message>
        <source>{gamma} after γ {before}: {share} of {tokens} tested here were accepted; about {times} plain is expected.</source>
        <translation>{gamma} nach γ {before}: {share} von {tokens}, die hier geprüft wurden, wurden angenommen; erwartet wird etwa {times} so schnell wie einfach.</translation>
    </message>
    <message>
        <source>{gamma} is a guess from a short timing.</source>
        <translation>{gamma} ist geraten, aus einer kurzen Messung.</translation>
    </message>
    <message>
        <source>{gamma} is best for {kind}: {times} plain. Another one promises more, but less surely, or did not keep it.</source>
        <translation>Am besten für {kind}: {gamma}, {times} so schnell wie einfach. Ein anderes verspricht mehr, aber weniger sicher, oder hielt es nicht.</translation>
    </message>
    <message>
        <source>{gamma} is best for {kind}: {times} plain. One more drafted token would cost more than it gains.</source>
        <translation>Am besten für {kind}: {gamma}, {times} so schnell wie einfach. Ein weiteres entworfenes Token kostete mehr, als es bringt.</translation>
    </message>
    <message>
        <source>{gamma} is best here: about {times} plain.</source>
        <translation>{gamma} ist hier das beste: etwa {times} so schnell wie einfach.</translation>
    </message>
    <message>
        <source>{gamma} stays: {share} of {tokens} tested here were accepted; about {times} plain is expected.</source>
        <translation>{gamma} bleibt: {share} von {tokens}, die hier geprüft wurden, wurden angenommen; erwartet wird etwa {times} so schnell wie einfach.</translation>
    </message>
    <message>
        <source>{gamma}, as measured: this chat has shown nothing of its own yet.</source>
        <translation>{gamma}, wie gemessen: Dieses Gespräch hat noch nichts Eigenes gezeigt.</translation>
    </message>
    <message>
        <source>{gamma}: a trial, to see whether drafting pays by now.</source>
        <translation>{gamma}: ein Versuch, ob sich Entwerfen inzwischen lohnt.</translation>
    </message>
    <message>
        <source>{gamma}: caches {caches}, buffers {buffers}</source>
        <translation>{gamma}: Caches {caches}, Puffer {buffers}</translation>
    </message>
    <message>
        <source>{gamma}: plain, {times}</source>
        <translation>{gamma}: einfach, {times}</translation>
    </message>
    <message>
        <source>{gamma}: {times}, {low} to {high}</source>
        <translation>{gamma}: {times}, {low} bis {high}</translation>
    </message>
    <message>
        <source>{told}, tried {times}</source>
        <translation>{told}, versucht {times}</translation>
    </message>
    <message>
        <source>{width} tokens wide: {times} passes, {time}</source>
        <translation>{width} Token breit: {times} Durchgänge, {time}</translation>
    </message>
    <message>
        <source>{width} tokens wide: {times} passes, {time}, between its neighbours</source>
        <translation>{width} Token breit: {times} Durchgänge, {time}, zwischen seinen Nachbarn</translation>
    </message>
    <message>
        <source>γ 0 is best here: plain decoding is faster than drafting.</source>
        <translation>γ 0 ist hier das beste: Einfaches Schreiben ist schneller als Entwerfen.</translation>
    </message>
    <message>
        <source>γ 0: with text like this chat’s, drafting would cost time.</source>
        <translation>γ 0: Bei Text wie in diesem Gespräch kostete Entwerfen Zeit.</translation>
    </message>
    <message>
        <source>γ = {gamma} would be about {gain} faster for this conversation</source>
        <translation>γ = {gamma} wäre in diesem Gespräch etwa {gain} schneller</translation>
    </message>
    <message>
        <source>γ in force</source>
        <translation>γ in Kraft</translation>
    </message>
    <message>
        <source>γ needs a draft: choose a pair first.</source>
        <translation>γ braucht ein Entwurfsmodell: Wählen Sie erst ein Paar.</translation>
    </message>
    <message>
        <source>γ on this computer</source>
        <translation>γ auf diesem Computer</translation>
    </message>
</context>
<context>
    <name>Typed</name>
    <message>
        <source>Show all {n} characters</source>
        <translation>Alle {n} Zeichen zeigen</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
</context>
<context>
    <name>Window</name>
    <message>
        <source>Replies are written plainly, without a draft: {reason}.</source>
        <translation>Antworten werden einfach geschrieben, ohne Entwurf: {reason}.</translation>
    </message>
    <message>
        <source>The engine does not answer. What was written is kept.</source>
        <translation>Der Modellprozess antwortet nicht. Was geschrieben war, ist erhalten.</translation>
    </message>
</context>
</TS>
