export const finding = {
  'finding.sort': 'Sortieren nach',
  'finding.relevance': 'Beste Treffer',
  'finding.downloads': 'Meiste Downloads',
  'finding.updated': 'Zuletzt aktualisiert',
  'finding.newest': 'Neueste',
  'finding.by': 'von {author}',
  'finding.downloaded': '{count} Downloads',
  'finding.changed': 'aktualisiert {age}',
  'finding.created': 'erschienen {age}',
  'finding.more': 'Mehr anzeigen',
  'finding.most': 'Das Panel zeigt höchstens {count} auf einmal. Gib mehr ein, um sie einzugrenzen.',
  'finding.cut': 'Es gibt noch mehr. Gib mehr ein, um es einzugrenzen.',
}
