"""The pages about Foreword itself: settings, shortcuts, the network, about."""
