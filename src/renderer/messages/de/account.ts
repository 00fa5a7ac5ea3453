export const account = {
  'start.title': 'Wheelhouse',
  'start.text': 'Betreibe Minecraft-Server und sieh, was darauf geschieht.',
  'start.local': 'Dieser Computer',
  'start.local-text': 'Server hier betreiben. Ohne Konto und ohne Einrichtung.',
  'start.local-not-here': 'Auf diesem Computer können keine Server laufen: {reason}',
  'start.service': 'Bei einem Dienst anmelden',
  'start.service-text': 'Server bei einem Anbieter oder auf einem anderen deiner Computer verwalten.',

  'add-server.button': 'Server per ID hinzufügen',
} as const
