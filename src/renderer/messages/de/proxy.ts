export const proxy = {
  'proxy.title': 'Server hinter diesem Proxy',
  'proxy.text':
    'Spieler verbinden sich mit diesem Proxy, und er schickt sie auf seine Server. Wer neu kommt, startet auf denen mit einer Nummer: auf dem ersten davon, der antwortet.',
  'proxy.servers': 'Server hinter diesem Proxy',
  'proxy.empty': 'Noch keine Server. Ohne einen kann niemand spielen.',
  'proxy.place': 'Spieler starten hier, Nummer {place}',
  'proxy.no-place': 'Spieler starten nicht hier',
  'proxy.starts': 'Spieler starten hier',
  'proxy.no-start': 'Wähle mindestens einen Server, auf dem Spieler starten. Bis dahin kann niemand spielen.',
  'proxy.no-start-but':
    'Wähle mindestens einen Server, auf dem Spieler starten. Bis dahin kommt man nur über die Adressen unten hinein.',
  'proxy.order': 'Wo Spieler starten',
  'proxy.address-of': 'Adresse von {name}',
  'proxy.earlier': '{name} nach oben',
  'proxy.later': '{name} nach unten',
  'proxy.cannot-move': 'Nur Server, auf denen Spieler starten, haben eine Reihenfolge.',
  'proxy.cannot-earlier': 'Er ist schon der erste.',
  'proxy.cannot-later': 'Er ist schon der letzte.',
  'proxy.remove': '{name} entfernen',
  'proxy.removed': 'entfernt',
  'proxy.which': 'Server',
  'proxy.other': 'Ein anderer Server',
  'proxy.name': 'Name',
  'proxy.address': 'Adresse',
  'proxy.add': 'Server hinzufügen',
  'proxy.name-missing': 'Gib einen Namen ein.',
  'proxy.name-odd': 'Nimm ein Wort ohne Leerzeichen und Anführungszeichen, nur nicht „try“.',
  'proxy.name-taken': 'Dieser Proxy hat schon einen Server mit diesem Namen.',
  'proxy.bad-address':
    'Gib Host und Port ein, etwa 127.0.0.1:25566. Mit einem Host aus anderen Zeichen als a–z, Ziffern, Bindestrichen und Punkten würde Velocity nicht starten.',
  'proxy.unknown-server': '{name} ist keiner der Server oben. Velocity würde nicht starten.',
  'proxy.host-empty': 'Wähle einen Server. Velocity würde nicht starten.',
  'proxy.hosts': 'Adressen für bestimmte Server',
  'proxy.hosts-text': 'Wer über eine dieser Adressen kommt, startet auf den Servern, die du dafür auswählst.',
  'proxy.host': 'Adresse, die Spieler eingeben',
  'proxy.leads-to': 'Führt zu',
  'proxy.add-host': 'Adresse hinzufügen',
  'proxy.bad-host': 'Gib einen Hostnamen ohne Port ein, etwa games.example.com.',
  'proxy.host-taken': 'Diese Adresse steht schon in der Liste.',
  'proxy.not-from': '{host} nicht zu {name} führen',
  'proxy.also-to': '{host} auch führen zu',
  'proxy.also': 'Hinzufügen …',
  'proxy.forwarding': 'Weitergabe der Spielerdaten',
  'proxy.forwarding-text':
    'So erfahren die Server, wer ein Spieler ist. Ohne sie kommen für sie alle vom Proxy, mit einer anderen UUID.',
  'proxy.mode': 'Verfahren',
  'proxy.mode-modern': 'Modern',
  'proxy.mode-bungeeguard': 'BungeeGuard',
  'proxy.mode-legacy': 'Alt (BungeeCord)',
  'proxy.mode-none': 'Keine',
  'proxy.mode-modern-text':
    'Für Minecraft ab 1.13. Die Server nehmen nur Spieler an, für die dieser Proxy bürgt.',
  'proxy.mode-bungeeguard-text':
    'Für ältere Versionen. Jeder Server braucht das Plugin BungeeGuard mit dem Geheimnis.',
  'proxy.mode-legacy-text':
    'Für ältere Versionen. Allein nicht sicher: Wer einen Server direkt erreicht, kommt unter jedem Namen hinein.',
  'proxy.mode-none-text': 'Die Server erfahren nicht, wer ein Spieler ist.',
  'proxy.mode-unknown': 'Die Datei nennt ein Verfahren, das Velocity nicht kennt. Wähle eines aus.',
  'proxy.behind': 'Was die Server brauchen',
  'proxy.behind-checking': 'Wird geprüft …',
  'proxy.behind-ready': 'Nimmt Spieler von diesem Proxy an',
  'proxy.behind-needed': 'Noch nicht für diesen Proxy eingerichtet',
  'proxy.behind-half':
    'Halb eingerichtet: config/paper-global.yml ist fertig, online-mode in server.properties ist noch an. Richte ihn ein, um es abzuschließen.',
  'proxy.behind-failed': 'Wie er eingerichtet ist, ist nicht bekannt.',
  'proxy.behind-never-run':
    'Starte ihn einmal, damit er seine Einstellungen schreibt. Danach kannst du ihn hier einrichten.',
  'proxy.behind-by-hand': 'Dieser lässt sich hier nicht einrichten. Was er braucht, steht unten.',
  'proxy.by-hand':
    'Jeder andere Server braucht online-mode=false in server.properties und die moderne Weitergabe mit dem Geheimnis dieses Proxys: Paper in config/paper-global.yml unter proxies.velocity, Fabric mit einem Mod.',
  'proxy.copy-secret': 'Geheimnis kopieren',
  'proxy.save-first': 'Speichere zuerst deine Änderungen.',
  'proxy.set-up': 'Einrichten',
  'proxy.set-up-title': '{name} für diesen Proxy einrichten?',
  'proxy.set-up-text': 'Ab seinem nächsten Start kommen Spieler nur noch über diesen Proxy hinein:',
  'proxy.set-up-forwarding':
    'config/paper-global.yml: Die Weitergabe durch Velocity wird eingeschaltet, mit dem Geheimnis dieses Proxys.',
  'proxy.set-up-online':
    'server.properties: online-mode wird ausgeschaltet, denn der Proxy prüft, wer ein Spieler ist.',
  'proxy.set-up-then': 'Alles andere in diesen Dateien bleibt, wie es ist.',
  'proxy.set-up-then-runs':
    'Alles andere in diesen Dateien bleibt, wie es ist. Der Server läuft: Starte ihn danach neu.',
  'proxy.unchecked':
    'Dieser Proxy prüft nicht, wer ein Spieler ist: In velocity.toml ist online-mode aus. Würden die Server ihm vertrauen, könnte jeder unter jedem Namen spielen. Schalte online-mode dort ein und starte den Proxy neu, richte dann die Server ein.',
  'proxy.set-up-done': '{name} ist eingerichtet.',
  'proxy.set-up-runs': '{name} ist eingerichtet. Starte ihn neu, damit es gilt.',
  'proxy.saved': 'Gespeichert.',
  'proxy.saved-runs': 'Gespeichert. Der Proxy läuft noch mit den alten Einstellungen.',
  'proxy.saved-starting':
    'Gespeichert. Der Proxy startet gerade und läuft vielleicht mit den alten Einstellungen.',
  'proxy.maybe-old':
    'Der Proxy startete gerade, als gespeichert wurde, und läuft vielleicht mit seinen alten Einstellungen. Lade sie neu, oder starte ihn neu. Beim Neuladen kommen Spieler von Servern, die du entfernt oder deren Adresse du geändert hast, auf einen anderen; gibt es keinen, wird ihre Verbindung getrennt.',
  'proxy.old':
    'Der Proxy läuft mit seinen alten Einstellungen. Lade sie neu, oder starte ihn neu. Beim Neuladen kommen Spieler von Servern, die du entfernt oder deren Adresse du geändert hast, auf einen anderen; gibt es keinen, wird ihre Verbindung getrennt.',
  'proxy.old-container':
    'Er läuft in einem Container: Hinzugefügte Server erreicht er erst nach einem Neustart.',
  'proxy.reload': 'Einstellungen neu laden',
  'proxy.reload-later':
    'Der Proxy startet noch. Sobald er online ist, kannst du seine Einstellungen neu laden.',
  'proxy.reloaded': 'Der Proxy soll seine Einstellungen neu laden. Was daraus wird, steht in seiner Konsole.',
  'proxy.rest': 'Alles andere steht in der Datei',
  'proxy.not-here':
    'Das lässt sich hier nicht ändern, ohne anderes in velocity.toml anzurühren. Ändere es in der Datei selbst.',
  'proxy.no-file':
    'Starte den Proxy einmal: Dann schreibt er seine Einstellungen, und du kannst hier Server hinzufügen.',
  'proxy.damaged':
    'velocity.toml enthält einen Fehler und lässt sich hier nicht zeigen. Berichtige ihn in der Datei.',
  'proxy.open-file': 'Datei öffnen',
}
