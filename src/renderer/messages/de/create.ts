/** Die Seite, die einen Server erstellt. Was auch andere Stellen davon sagen, steht in `server.ts`. */
export const create = {
  'create.title': 'Server erstellen',
  'create.on': 'auf {connection}',
  'create.on-this': 'auf diesem Computer',
  'create.ways': 'Wege zu einem Server',
  'create.new': 'Neuer Server',
  'create.pack': 'Aus einem Modpack',
  'create.move-in': 'Server übernehmen',
  'create.name-default': 'Mein Server',
  'create.name-default-n': 'Mein Server {number}',
  'create.recommended': '{version} (empfohlen)',
  'create.memory-hint': 'In Megabyte. Für ein paar Freunde genügen 2048.',
  'create.software-unread': 'Die Server-Software dieses Dienstes war nicht lesbar',
  'create.no-software': 'Dieser Dienst bietet keine Server-Software an.',
} as const
