export const shortcuts = {
  'shortcuts.palette': 'Zu jedem Server, Bereich und jeder Aktion',
  'shortcuts.search': 'Server durchsuchen',
  'shortcuts.list': 'Diese Liste anzeigen',
  'shortcuts.tabs': 'Zu einem Bereich des Servers wechseln',
  'shortcuts.next': 'Nächster oder vorheriger Server der Liste',
  'shortcuts.close': 'Dialog, Menü oder Suche schließen',
  'key.alt': 'Alt',
  'key.shift': 'Umschalt',
  'key.escape': 'Esc',
} as const
