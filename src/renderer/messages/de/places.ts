export const places = {
  'no-access.console.read': 'Der Besitzer hat dir keinen Zugriff auf die Konsole gegeben.',
  'no-access.players.read': 'Der Besitzer hat dir keinen Zugriff auf die Spieler gegeben.',
  'no-access.files.read': 'Der Besitzer hat dir keinen Zugriff auf Dateien gegeben.',
  'no-access.extensions.read': 'Der Besitzer hat dir keinen Zugriff auf Plugins und Mods gegeben.',
  'no-access.config.read': 'Der Besitzer hat dir keinen Zugriff auf die Einstellungen gegeben.',
  'no-access.software.write': 'Der Besitzer hat dir nicht erlaubt, die Software zu ändern.',
  'no-access.activity.read': 'Der Besitzer hat dir keinen Zugriff auf die Aktivität gegeben.',
  'no-access.backups.read': 'Der Besitzer hat dir keinen Zugriff auf Backups gegeben.',
  'no-access.schedules.read': 'Der Besitzer hat dir keinen Zugriff auf die Zeitpläne gegeben.',
  'no-access.owner': 'Nur der Besitzer kann diesen Server duplizieren oder löschen.',

  'absent.extensions': 'Die Software dieses Servers unterstützt keine Plugins oder Mods.',
  'absent.access': 'Ein Server auf diesem Computer kann nicht geteilt werden.',
  'absent.properties': 'Ein Proxy hat keine Spieleinstellungen.',
  'absent.proxy': 'Dieser Server ist kein Velocity-Proxy.',
  'absent.schedules': 'Dieser Dienst bietet keine Zeitpläne an.',
  'absent.config': 'Der Dienst zeigt diese Einstellungen für diesen Server nicht an.',
} as const
