; The installer for Windows: for one user, without administrator's rights.
; installer.py compiles it and says what is in it:
;   makensis -DVERSION=… -DPAYLOAD=… -DLISTS=… -DICON=… -DOUTPUT=… installer.nsi
; PAYLOAD is the frozen folder; LISTS holds files.nsh and removal.nsh, which name each of its files.

Unicode true
ManifestDPIAware true
ManifestSupportedOS Win10
RequestExecutionLevel user
SetCompressor /SOLID lzma

!include MUI2.nsh
!include FileFunc.nsh
!include LogicLib.nsh
!include WinVer.nsh
!include x64.nsh

!define NAME "Foreword"
!define PROGRAM "foreword.exe"
!define CLASS "Foreword.gguf"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\${NAME}"

!if ! /FileExists "${PAYLOAD}\${PROGRAM}"
  !error "There is no ${PROGRAM} in ${PAYLOAD}."
!endif
; llama.cpp's threads. Windows does not bring it along.
!if ! /FileExists "${PAYLOAD}\_internal\vcomp140.dll"
  !error "There is no vcomp140.dll in ${PAYLOAD}: the engine would not start on a clean Windows."
!endif

Name "${NAME}"
OutFile "${OUTPUT}"
InstallDir "$LOCALAPPDATA\Programs\${NAME}"
InstallDirRegKey HKCU "${UNINSTALL_KEY}" "InstallLocation"
BrandingText "${NAME} ${VERSION}"
!ifdef UNINSTALLER_SIGN
  !uninstfinalize '${UNINSTALLER_SIGN}'
!endif

VIProductVersion "${VERSION}.0"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Installs ${NAME}"
VIAddVersionKey "CompanyName" "The Foreword authors"
VIAddVersionKey "LegalCopyright" "The Foreword authors. Apache License, version 2.0."

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!define MUI_FINISHPAGE_NOAUTOCLOSE
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString TOO_OLD ${LANG_ENGLISH} "Foreword needs Windows 10 or newer, 64 bits."
LangString TOO_OLD ${LANG_GERMAN} "Foreword braucht Windows 10 oder neuer, 64 Bit."
LangString RUNNING ${LANG_ENGLISH} "Foreword is running. Close it, then go on."
LangString RUNNING ${LANG_GERMAN} "Foreword läuft noch. Schließen Sie es, dann geht es weiter."
LangString OLD_STAYS ${LANG_ENGLISH} "The version that is installed could not be removed. Remove it in Windows' settings, then start this again."
LangString OLD_STAYS ${LANG_GERMAN} "Die installierte Version ließ sich nicht entfernen. Entfernen Sie sie in den Einstellungen von Windows und starten Sie dies noch einmal."
LangString CHAT ${LANG_ENGLISH} "Private chat that drafts ahead"
LangString CHAT ${LANG_GERMAN} "Privater Chat, der vorausschreibt"
LangString MODEL ${LANG_ENGLISH} "GGUF model"
LangString MODEL ${LANG_GERMAN} "GGUF-Modell"

; A program that runs cannot be opened for writing. Asks until it can; silently, it gives up.
!macro WaitUntilClosed PREFIX
  Function ${PREFIX}WaitUntilClosed
    again:
      IfFileExists "$INSTDIR\${PROGRAM}" 0 closed
      ClearErrors
      FileOpen $0 "$INSTDIR\${PROGRAM}" a
      IfErrors 0 opened
      MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(RUNNING)" /SD IDCANCEL IDRETRY again
      SetErrorLevel 1
      Quit
    opened:
      FileClose $0
    closed:
  FunctionEnd
!macroend
!insertmacro WaitUntilClosed ""
!insertmacro WaitUntilClosed "un."

Function .onInit
  ${IfNot} ${AtLeastWin10}
  ${OrIfNot} ${RunningX64}
    MessageBox MB_OK|MB_ICONSTOP "$(TOO_OLD)" /SD IDOK
    SetErrorLevel 1
    Quit
  ${EndIf}
FunctionEnd

; The one before goes with its own list of files, so that none of them is left to be loaded.
Function RemoveOlder
  ReadRegStr $1 HKCU "${UNINSTALL_KEY}" "InstallLocation"
  ${If} $1 != ""
  ${AndIf} ${FileExists} "$1\uninstall.exe"
    ; From a copy: one that runs cannot delete itself, and the caller could not wait for it.
    InitPluginsDir
    CopyFiles /SILENT "$1\uninstall.exe" "$PLUGINSDIR\older.exe"
    ExecWait '"$PLUGINSDIR\older.exe" /S _?=$1' $2
    ${If} $2 != 0
      MessageBox MB_OK|MB_ICONSTOP "$(OLD_STAYS)" /SD IDOK
      SetErrorLevel 1
      Quit
    ${EndIf}
    Delete "$1\uninstall.exe"
    RMDir "$1"
  ${EndIf}
FunctionEnd

Section
  SetShellVarContext current
  Call WaitUntilClosed
  Call RemoveOlder

  !include "${LISTS}\files.nsh"
  SetOutPath "$INSTDIR"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\${NAME}.lnk" "$INSTDIR\${PROGRAM}" "" "" 0 SW_SHOWNORMAL "" "$(CHAT)"

  ; Offered under "Open with" for models; whatever opens them by default stays.
  WriteRegStr HKCU "Software\Classes\${CLASS}" "" "$(MODEL)"
  WriteRegStr HKCU "Software\Classes\${CLASS}\DefaultIcon" "" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "Software\Classes\${CLASS}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
  WriteRegNone HKCU "Software\Classes\.gguf\OpenWithProgids" "${CLASS}"
  WriteRegStr HKCU "Software\Classes\Applications\${PROGRAM}" "FriendlyAppName" "${NAME}"
  WriteRegStr HKCU "Software\Classes\Applications\${PROGRAM}\SupportedTypes" ".gguf" ""
  WriteRegStr HKCU "Software\Classes\Applications\${PROGRAM}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'

  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayName" "${NAME}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\${PROGRAM},0"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "Publisher" "The Foreword authors"
  !ifdef HOME_PAGE
    WriteRegStr HKCU "${UNINSTALL_KEY}" "URLInfoAbout" "${HOME_PAGE}"
    WriteRegStr HKCU "${UNINSTALL_KEY}" "URLUpdateInfo" "${HOME_PAGE}"
  !endif
  WriteRegStr HKCU "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegStr HKCU "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKCU "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKCU "${UNINSTALL_KEY}" "NoRepair" 1
  ${RefreshShellIcons}
SectionEnd

; Conversations, settings and models are elsewhere, and stay.
Section "Uninstall"
  SetShellVarContext current
  Call un.WaitUntilClosed

  !include "${LISTS}\removal.nsh"
  Delete "$SMPROGRAMS\${NAME}.lnk"
  DeleteRegKey HKCU "Software\Classes\${CLASS}"
  DeleteRegValue HKCU "Software\Classes\.gguf\OpenWithProgids" "${CLASS}"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf\OpenWithProgids"
  DeleteRegKey /ifempty HKCU "Software\Classes\.gguf"
  DeleteRegKey HKCU "Software\Classes\Applications\${PROGRAM}"
  DeleteRegKey HKCU "${UNINSTALL_KEY}"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
SectionEnd
