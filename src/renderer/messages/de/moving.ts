export const moving = {
  'moving.title': 'Umzug auf einen anderen Computer',
  'moving.text':
    'Eine Datei nimmt deine Dienste und Einstellungen mit. Token und Passwörter stehen nie darin: Du meldest dich bei jedem Dienst neu an.',
  'moving.save': 'In eine Datei speichern',
  'moving.saved': 'Gespeichert als {path}.',
  'moving.open': 'Datei öffnen',
  'moving.too-large': 'Diese Datei ist zu groß für Einstellungen von Wheelhouse.',
  'moving.unread': 'Diese Datei konnte nicht gelesen werden. Wähle sie noch einmal aus.',
  'moving.brings': 'Was diese Datei mitbringt',
  'moving.nothing': 'In dieser Datei stehen keine Dienste.',
  'moving.services': 'Dienste',
  'moving.new': 'neu',
  'moving.known': 'schon hier',
  'moving.unusable': 'wird ausgelassen: keine brauchbare Adresse',
  'moving.settings': 'Auch Erscheinungsbild, Sprache und Benachrichtigungen übernehmen',
  'moving.bring': 'Importieren',
  'moving.added-none': 'Kein Dienst war neu. Es wurde nichts hinzugefügt.',
  'moving.added': {
    one: 'Ein Dienst ist hinzugekommen. Melde dich bei ihm an, um ihn zu verwenden.',
    other: '{count} Dienste sind hinzugekommen. Melde dich bei jedem an, um ihn zu verwenden.',
  },
} as const
