export const hosts = {
  'host.open': 'Sein Panel öffnen',
  'host.elsewhere': 'Alles andere ist im Panel deines Hosters.',
  'host.elsewhere-sftp': 'Was hier fehlt, geht über SFTP nicht.',
  'host.no-servers': 'Hier sind keine Server',
  'host.no-servers-text': 'Dein Konto in diesem Panel hat keine. Server legt der Hoster an.',
  'host.no-exaroton-servers': 'Dein Konto bei exaroton hat keine. Erstelle einen auf exaroton.com.',
}
