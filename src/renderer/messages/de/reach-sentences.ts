export const reachSentences = {
  'reach.refused':
    'An dieser Adresse antwortet nichts: Der Dienst läuft nicht, oder er verwendet einen anderen Port ({host}).',
  'reach.no-host': 'Dieser Host wurde nicht gefunden. Prüfe die Adresse und die Internetverbindung ({host}).',
  'reach.no-lookup':
    'Der Name des Hosts lässt sich gerade nicht auflösen. Prüfe die Internetverbindung ({host}).',
  'reach.closed': 'Der Dienst hat die Verbindung geschlossen ({host}).',
  'reach.no-way': 'Der Host ist aus diesem Netzwerk nicht erreichbar ({host}).',
  'reach.no-network': 'Es gibt keine Netzwerkverbindung zum Host ({host}).',
  'reach.network-down': 'Das Netzwerk ist ausgefallen ({host}).',
  'reach.no-answer': 'Der Dienst hat nicht rechtzeitig geantwortet ({host}).',
  'reach.silent': 'Der Dienst hat mitten in seiner Antwort aufgehört zu senden ({host}).',
  'reach.proxy': 'Der Proxy dieses Netzwerks kann nicht verwendet werden ({host}).',
  'reach.proxy-name':
    'Der Proxy dieses Netzwerks verlangt Namen und Passwort ({host}). Setze HTTPS_PROXY auf seine Adresse mit beidem, etwa http://name:passwort@proxy.example.com:8080, und starte Wheelhouse neu.',
  'reach.proxy-refused': 'Der Proxy dieses Netzwerks lässt Wheelhouse nicht zu {host} durch.',
  'reach.proxy-kind':
    'Der Proxy dieses Netzwerks ist von einer Art, die Wheelhouse nicht verwenden kann ({host}). HTTP-, HTTPS- und SOCKS-Proxys funktionieren.',
  'reach.too-long': 'Der Dienst hat zu lange für seine Antwort gebraucht ({host}).',
  'reach.failed': 'Der Dienst ist nicht erreichbar ({host}).',
  'reach.no-https':
    '{host} antwortet nicht mit korrektem HTTPS, daher kommt keine sichere Verbindung zustande. Prüfe Adresse und Port.',
  'reach.no-http': '{host} antwortet, aber nicht mit HTTP. Prüfe Adresse und Port.',
} as const
