/** Über die Rechner, auf denen Server laufen, wo es mehrere gibt. */
export const nodeRefusals = {
  'refused.node.owner': 'Nur der Besitzer dieses Dienstes kann seine Rechner sehen und ändern. Frage ihn.',
  'refused.node.none':
    'Dieser Dienst führt Server nur auf einem Rechner aus. Starte ihn zuerst mit einem Swarm.',
  'refused.node.not-found': 'Dieser Rechner gehört nicht mehr zum Swarm. Lade die Liste neu.',
  'refused.node.not-reached':
    'Dieser Rechner ist nicht erreichbar, deshalb lassen sich seine Server von hier aus nicht neu starten. Starte jeden von ihnen auf seiner eigenen Seite auf einem anderen Rechner.',
  'refused.node.not-told':
    'Der Swarm hat über seine Rechner keine Auskunft gegeben ({why}). Prüfe, ob sein Manager läuft, und versuche es dann noch einmal.',
  'refused.node.not-offered': 'Einen Rechner „{node}“ gibt es hier nicht. Wähle einen aus der Liste.',
  'refused.node.server-owner':
    'Nur der Besitzer eines Servers kann wählen, auf welchem Rechner er läuft. Frage ihn.',
  'refused.node.not-gone':
    'Der Rechner dieses Servers gilt nicht als verloren, deshalb wurde der Server nicht aufgegeben. Stoppe ihn wie sonst, oder starte ihn neu.',
  'refused.server.maybe-running':
    'Dieser Server lief vor Kurzem noch, deshalb wurde er nicht aufgegeben. Schalte den Rechner aus, auf dem er läuft, warte eine Minute, und versuche es dann noch einmal.',
} as const
