export const kinds = {
  'kind.paper': 'Schnell, mit Plugins. Das nehmen die meisten Server.',
  'kind.purpur': 'Paper mit viel mehr Einstellungen. Mit Plugins.',
  'kind.folia': 'Paper für sehr viele Spieler. Nur wenige Plugins laufen darauf.',
  'kind.fabric': 'Leichtgewichtig. Mit Mods.',
  'kind.quilt': 'Mit Mods für Quilt und den meisten für Fabric.',
  'kind.neoforge': 'Mit Mods, auch den großen.',
  'kind.forge': 'Mit Mods. Für ältere Versionen das, wofür die meisten Mods gemacht sind.',
  'kind.vanilla': 'Der Server, wie Mojang ihn macht, ohne Plugins und Mods.',
  'kind.velocity':
    'Ein Proxy: Spieler betreten ihn, und er führt sie zu deinen anderen Servern. Mit eigenen Plugins.',
  'kind.demo': 'Startet in einer Sekunde, ohne Java. Zum Ausprobieren.',
  'kind.custom': 'Eine eigene JAR-Datei im Ordner des Servers.',
}
