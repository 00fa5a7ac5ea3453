export const addedServers = {
  'add-server.title': 'Server per ID hinzufügen',
  'add-server.text':
    'Die Server dieses Dienstes lassen sich nicht auflisten. Gib die ID des Servers ein, den du verwalten willst.',
  'add-server.id': 'Server-ID',
  'add-server.hint': 'Oft ist sie Teil der Adresse der Webseite des Servers.',
  'add-server.no-id': 'Eine ID hat höchstens 200 Zeichen und keine Zeilenumbrüche.',
  'add-server.submit': 'Hinzufügen',
  'add-server.anyway': 'Trotzdem hinzufügen',
  'added.title': 'Per ID hinzugefügte Server',
  'added.text':
    'Diese Liste bleibt auf diesem Computer. Einen Server zu entfernen ändert beim Dienst nichts.',
  'added.remove': 'Entfernen',
  'added.remove-named': '{name} aus der Liste entfernen',
} as const
