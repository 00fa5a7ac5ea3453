export const settingsTransfer = {
  'settings-transfer.title': 'Umzug auf einen anderen Computer',
  'settings-transfer.text':
    'Eine Datei nimmt deine Dienste und Einstellungen mit. Token und Passwörter stehen nie darin: Du meldest dich bei jedem Dienst neu an.',
  'settings-transfer.save': 'In eine Datei speichern',
  'settings-transfer.saved': 'Gespeichert als {path}.',
  'settings-transfer.open': 'Datei öffnen',
  'settings-transfer.too-large': 'Diese Datei ist zu groß für Einstellungen von Wheelhouse.',
  'settings-transfer.unread': 'Diese Datei konnte nicht gelesen werden. Wähle sie noch einmal aus.',
  'settings-transfer.brings': 'Was diese Datei mitbringt',
  'settings-transfer.nothing': 'In dieser Datei stehen keine Dienste.',
  'settings-transfer.services': 'Dienste',
  'settings-transfer.new': 'neu',
  'settings-transfer.known': 'schon hier',
  'settings-transfer.unusable': 'wird ausgelassen: keine brauchbare Adresse',
  'settings-transfer.settings': 'Auch Erscheinungsbild, Sprache und Benachrichtigungen übernehmen',
  'settings-transfer.bring': 'Importieren',
  'settings-transfer.added-none': 'Kein Dienst war neu. Es wurde nichts hinzugefügt.',
  'settings-transfer.added': {
    one: 'Ein Dienst ist hinzugekommen. Melde dich bei ihm an, um ihn zu verwenden.',
    other: '{count} Dienste sind hinzugekommen. Melde dich bei jedem an, um ihn zu verwenden.',
  },
} as const
