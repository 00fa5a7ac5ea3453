/** Über Container und das Programm, das sie ausführt. */
export const engineRefusals = {
  'refused.engine.none':
    'Dieser Server läuft in einem Container, aber dieser Dienst hat keine Container-Engine. Starte den Dienst mit einer, oder schalte den Container in den Einstellungen aus.',
  'refused.engine.not-offered':
    'Dieser Dienst hat keine Container-Engine. Starte ihn zuerst mit --docker-image.',
  'refused.engine.owner': 'Nur der Besitzer eines Servers kann ändern, ob er in einem Container läuft.',
  'refused.engine.not-reached':
    'Die Container-Engine unter {address} ist nicht erreichbar ({why}). Starte sie und dann den Server noch einmal.',
  'refused.engine.not-reached.search':
    'Die Container-Engine unter {address} ist nicht erreichbar ({why}), deshalb ist nicht bekannt, ob dieser Server läuft. Starte sie: Der Server wird dann gefunden, ohne dass der Dienst neu startet.',
  'refused.engine.denied':
    'Der Dienst darf die Container-Engine unter {address} nicht benutzen. Nimm seinen Benutzer in die Gruppe auf, der sie gehört, etwa docker.',
  'refused.engine.no-image':
    'Die Container-Engine hat das Image {image} nicht. Führe auf ihrem Computer „docker pull {image}“ aus, und starte den Server noch einmal.',
  'refused.engine.full': 'Die Festplatte der Container-Engine ist voll. Schaffe dort Platz.',
  'refused.engine.runs-already':
    'Der Container {container} läuft bereits, deshalb wurde der Server kein zweites Mal gestartet. Stoppe diesen Container, oder starte den Dienst neu.',
  'refused.engine.failed':
    'Der Container konnte nicht gestartet werden ({why}). Im Log der Container-Engine steht vielleicht mehr.',
  'refused.engine.no-manager':
    'Die Container-Engine ist kein Manager eines Swarms. Führe auf ihrem Computer „docker swarm init“ aus, oder starte den Dienst ohne --docker-swarm.',
  'refused.node.only-here':
    'Dieser Server ist nur für seinen eigenen Rechner offen; auf mehreren Rechnern geht das nicht. Lass in seinen Einstellungen alle zu.',
  'refused.node.engine-not-reached':
    'Die Container-Engine von {node} unter {address} ist nicht erreichbar ({why}). Lass sie dort mit TLS lauschen, und starte den Server noch einmal.',
  'refused.node.no-room':
    'Kein Rechner des Swarms kann diesen Server gerade aufnehmen ({why}). Schaffe auf einem Platz, und starte ihn noch einmal.',
  'refused.node.cannot':
    'Der Rechner {node} kann diesen Server gerade nicht aufnehmen ({why}). Schaffe dort Platz, oder wähle in seinen Einstellungen einen anderen Rechner.',
  'refused.node.no-path':
    'Der Rechner, der diesen Server ausführen sollte, hat {path} nicht. Jeder Rechner des Swarms braucht den Ordner des Dienstes und Java unter demselben Pfad.',

  'refused.console.memory-unlimited':
    'Die Container-Engine kann den Arbeitsspeicher hier nicht begrenzen: Ein Server kann mehr benutzen, als ihm zugeteilt ist.',
  'refused.console.cpu-unlimited': 'Die Container-Engine kann Prozessorkerne hier nicht begrenzen.',
  'refused.console.proxy-unreached':
    'Aus seinem Container erreicht dieser Proxy {addresses} nicht. Er erreicht Server desselben Besitzers, die auch in Containern laufen: Nenne sie 127.0.0.1 mit ihrem Port.',
} as const
