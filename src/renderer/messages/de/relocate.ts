export const relocate = {
  'relocate.start-title': 'Auf diesem Computer starten',
  'relocate.start-text':
    'Legt auf diesem Computer einen Server aus einer Kopie von diesem an, zum Ausprobieren. Dieser läuft weiter wie bisher.',
  'relocate.start-button': 'Hier starten …',
  'relocate.start-dialog': '{name} auf diesem Computer starten',
  'relocate.start-from': 'Aus',
  'relocate.start-copy': 'Der Kopie von {when}',
  'relocate.start-fresh': 'Einer neuen Kopie, die jetzt geholt wird',
  'relocate.start-fetches': 'Zuerst wird eine Kopie dieses Servers geholt. Er kann dabei weiterlaufen.',
  'relocate.start-next': 'Weiter',

  'relocate.title': 'Server umziehen',
  'relocate.text':
    'Kopiert diesen Server zu einem anderen Hoster, Dienst oder Computer. Dieser bleibt, bis du ihn selbst löschst.',
  'relocate.button': 'Umziehen …',
  'relocate.dialog': '{name} umziehen',
  'relocate.group-new': 'Einen Server anlegen bei',
  'relocate.group-server': 'In den Ordner dieses Servers legen',
  'relocate.at': '{server} · {connection}',
  'relocate.next': 'Weiter',
  'relocate.choose-first': 'Wähle aus, wohin er soll.',
  'relocate.goes-to': 'Ziel: {target}.',
  'relocate.kept': 'Dieser Server bleibt unverändert hier, bis du ihn selbst löschst.',
  'relocate.runs': '„{name}“ läuft und muss zuerst gestoppt werden.',
  'relocate.stop-first': 'Stoppe zuerst, was läuft.',
  'relocate.confirm-first': 'Bestätige, dass beide Server gestoppt sind.',
  'relocate.are-stopped':
    'Ich habe dafür gesorgt, dass beide Server gestoppt sind. Von hier aus ist das nicht bekannt.',
  'relocate.what-is-there': 'Dateien, die dort liegen',
  'relocate.keeps': 'Behalten. Gleichnamige werden ersetzt.',
  'relocate.empties':
    'Zuerst endgültig löschen. Nur server.properties und Namen mit Punkt am Anfang bleiben.',
  'relocate.empties-trash':
    'Zuerst löschen. Nur server.properties und Namen mit Punkt am Anfang bleiben; der Rest kommt in den Papierkorb.',
  'relocate.copy-do': 'Dorthin kopieren',
  'relocate.do': 'Umziehen',

  'relocate.differs': 'Was dort anders ist',
  'relocate.differs-there': 'Diese Einstellungen gehören zum Ort. Die Werte des anderen Servers bleiben.',
  'relocate.differs-new': 'Diese Einstellungen gehören zum Ort. Neue wählst du beim Anlegen des Servers.',
  'relocate.setting-server-port': 'Port',
  'relocate.setting-server-ip': 'Adresse (server-ip)',
  'relocate.setting-query.port': 'Query-Port',
  'relocate.setting-rcon.port': 'RCON-Port',
  'relocate.setting-memory': 'Arbeitsspeicher',
  'relocate.becomes': '{from} → {to}',
  'relocate.not-set': 'nicht gesetzt',
  'relocate.not-known': 'nicht bekannt',
  'relocate.warn-proxy':
    'Dieser Server vertraut einem Proxy (online-mode=false). Ohne diesen Proxy davor kann jeder unter jedem Namen beitreten.',
  'relocate.warn-open-names':
    'Dieser Server prüft keine Konten (online-mode=false), daher kann jeder unter jedem Namen beitreten.',
  'relocate.warn-no-times':
    'Dieser Hoster sagt nicht, wann Dateien geändert wurden. Sie bekommen die Zeit des Kopierens.',
  'relocate.warn-path': 'Die Einstellung {name} führt aus dem Ordner des Servers hinaus: {value}',

  'relocate.to': 'Zu {name}',
  'relocate.other': 'einem Server, der gerade nicht aufgeführt ist',
  'relocate.progress': 'Umzug zu {name}',
  'relocate.listing': {
    one: 'Dateien werden erfasst: bisher {count}',
    other: 'Dateien werden erfasst: bisher {count}',
  },
  'relocate.emptying': 'Was dort liegt, wird gelöscht …',
  'relocate.copying': 'Wird kopiert: {done} von {total}',
  'relocate.copying-begins': 'Wird kopiert …',
  'relocate.settings': 'server.properties wird angepasst …',
  'relocate.checking': 'Wird verglichen: {done} von {total} Dateien',
  'relocate.done-text':
    'Umgezogen, und jede Datei verglichen. Starte ihn dort, wenn du so weit bist; dieser Server bleibt, bis du ihn löschst.',
  'relocate.cancelled': 'Abgebrochen.',
  'relocate.left-nothing': '{name} ist, wie er war.',
  'relocate.left-some': 'Einige Dateien sind bei {name} angekommen.',
  'relocate.left-emptied':
    'Bei {name} wurden Dateien gelöscht, und einige der neuen liegen vielleicht schon dort.',
  'relocate.here-unchanged': 'Dieser Server ist unverändert.',
  'relocate.left-out': {
    one: '{count} Verknüpfung oder besondere Datei wurde ausgelassen.',
    other: '{count} Verknüpfungen und besondere Dateien wurden ausgelassen.',
  },
  'relocate.start': 'Dort starten',
  'relocate.show': 'Anzeigen',
  'relocate.forget': 'Aus der Liste entfernen',
} as const
