/** Über Container und das Programm, das sie ausführt. */
export const engineRefusals = {
  'refused.engine.none':
    'Dieser Server läuft in einem Container, aber dieser Dienst hat keine Container-Engine. Starte den Dienst mit einer, oder schalte den Container in den Einstellungen aus.',
  'refused.engine.not-offered':
    'Dieser Dienst hat keine Container-Engine. Starte ihn zuerst mit --docker-image; Proxys laufen immer ohne Container.',
  'refused.engine.owner': 'Nur der Besitzer eines Servers kann ändern, ob er in einem Container läuft.',
  'refused.engine.not-reached':
    'Die Container-Engine unter {address} ist nicht erreichbar ({why}). Starte sie und dann den Server noch einmal.',
  'refused.engine.denied':
    'Der Dienst darf die Container-Engine unter {address} nicht benutzen. Nimm seinen Benutzer in die Gruppe auf, der sie gehört, etwa docker.',
  'refused.engine.no-image':
    'Die Container-Engine hat das Image {image} nicht. Führe auf ihrem Computer „docker pull {image}“ aus, und starte den Server noch einmal.',
  'refused.engine.full': 'Die Festplatte der Container-Engine ist voll. Schaffe dort Platz.',
  'refused.engine.runs-already':
    'Der Container {container} läuft bereits, deshalb wurde der Server kein zweites Mal gestartet. Stoppe diesen Container, oder starte den Dienst neu.',
  'refused.engine.failed':
    'Der Container konnte nicht gestartet werden ({why}). Im Log der Container-Engine steht vielleicht mehr.',

  'refused.console.memory-unlimited':
    'Die Container-Engine kann den Arbeitsspeicher hier nicht begrenzen: Ein Server kann mehr benutzen, als ihm zugeteilt ist.',
  'refused.console.cpu-unlimited': 'Die Container-Engine kann Prozessorkerne hier nicht begrenzen.',
} as const
