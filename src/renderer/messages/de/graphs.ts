export const graphs = {
  'graphs.title': 'Letzte Stunde',
  'graphs.cpu': 'CPU',
  'graphs.memory': 'Arbeitsspeicher',
  'graphs.players': 'Spieler',
  'graphs.summary': '{name}: jetzt {now}, höchstens {most} in der letzten Stunde',
  'graphs.summary-past': '{name}: zurzeit kein Wert, höchstens {most} in der letzten Stunde',
  'graphs.summary-none': '{name}: keine Daten in der letzten Stunde',
  'graphs.start': 'Gestartet',
  'graphs.stop': 'Gestoppt',
  'graphs.crash': 'Abgestürzt',
  'graphs.empty': 'CPU, Arbeitsspeicher und Spieler erscheinen hier, solange der Server online ist.',
  'graphs.unread': 'Die Statistik ließ sich nicht lesen',
} as const
