/** The graphs of the overview. */
export const graphs = {
  'graphs.title': 'Die letzte Stunde',
  'graphs.cpu': 'CPU',
  'graphs.memory': 'Arbeitsspeicher',
  'graphs.players': 'Spieler',
  'graphs.summary': '{name}: jetzt {now}, höchstens {most} in der letzten Stunde',
  'graphs.summary-past': '{name}: zurzeit kein Wert, höchstens {most} in der letzten Stunde',
  'graphs.summary-none': '{name}: keine Daten in der letzten Stunde',
  'graphs.start': 'Gestartet',
  'graphs.stop': 'Gestoppt',
  'graphs.crash': 'Abgestürzt',
  'graphs.empty': 'Noch keine Daten',
  'graphs.not-offered': 'Dieser Dienst bietet keine Statistik an',
  'graphs.unread': 'Die Statistik ließ sich nicht lesen',
  'graphs.empty-text': 'CPU, Arbeitsspeicher und Spieler erscheinen hier, solange der Server online ist.',
} as const
