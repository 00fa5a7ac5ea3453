/** About servers in containers that others made. */
export const adoptedRefusals = {
  'refused.adopted.owner': 'Nur der Besitzer dieses Dienstes kann Container übernehmen. Frage ihn.',
  'refused.adopted.not-found':
    'Es gibt keinen Container „{container}“ mit einem Server, der sich übernehmen lässt. Sieh noch einmal in die Liste.',
  'refused.adopted.taken':
    'Dein Server „{server}“ hat den Ordner {folder} schon. Zwei Server dürfen sich keinen teilen: Gib dem Container einen anderen Ordner.',
  'refused.adopted.no-folder':
    'Der Ordner dieses Servers liegt in seinem Container oder ist schreibgeschützt. Erstelle den Container neu, mit einem Ordner dieses Rechners unter /data.',
  'refused.adopted.not-readable':
    'Der Dienst kann {folder} nicht lesen und schreiben ({code}). Erstelle den Container neu, unter /data mit einem Ordner, den der Dienst nutzen kann.',
  'refused.adopted.other-user':
    '{folder} gehört Benutzer {owner}, und der Dienst läuft als Benutzer {user}. Lass den Container als Benutzer {user} laufen (bei itzg/minecraft-server: UID={user}).',
  'refused.adopted.other-disk':
    '{folder} liegt auf einem anderen Datenträger als der Datenordner des Dienstes. Verschiebe einen von beiden auf den Datenträger des anderen.',
  'refused.adopted.own-folder':
    '{folder} enthält die Daten des Dienstes oder gehört dazu. Gib dem Container einen eigenen Ordner.',
  'refused.adopted.no-port':
    'Spieler erreichen diesen Container nicht an einem festen Port dieses Rechners. Erstelle ihn mit einem neu, zum Beispiel mit -p 25565:25565.',
  'refused.adopted.no-log':
    'Die Engine führt kein Protokoll dieses Containers, also hätte er keine Konsole. Erstelle ihn mit dem Protokolltreiber local neu.',
  'refused.adopted.not-told':
    'Die Container-Engine unter {address} ist nicht erreichbar ({why}). Starte sie und sieh dann noch einmal nach.',
  'refused.adopted.no-engine':
    'Dieser Server läuft in einem Container, aber dieser Dienst hat keine Container-Engine. Deshalb ist nicht bekannt, ob er läuft. Starte den Dienst mit --docker-image.',
  'refused.adopted.gone':
    'Den Container {container} gibt es nicht mehr. Erstelle ihn mit demselben Namen und Ordner neu, oder verwalte diesen Server nicht mehr.',
  'refused.adopted.other-folder':
    'Der Container {container} hat jetzt einen anderen Ordner als dieser Server. Erstelle ihn mit demselben Ordner neu, oder verwalte diesen Server nicht mehr.',
  'refused.adopted.no-input':
    'Der Container {container} nimmt keine Befehle an, weil seine Eingabe nicht offen ist. Erstelle ihn mit stdin_open: true neu (docker run -d -i).',
  'refused.adopted.decides':
    'Das bestimmt der Container {container}, den andere erstellt haben. Ändere seine Variablen dort, wo er erstellt wurde, und erstelle ihn neu.',
  'refused.adopted.copy':
    'Ein Container, den andere erstellt haben, lässt sich nicht duplizieren. Mach ein Backup dieses Servers und spiele es als neuen Server ein.',
  'refused.adopted.trial':
    'Ein Container, den andere erstellt haben, lässt sich nicht ein zweites Mal starten. Prüfe das Backup, ohne es zu starten.',

  'refused.console.following': 'Der Container läuft; ab hier ist seine Konsole zu sehen.',
  'refused.console.ended-away': 'Der Container endete, während der Dienst weg war.',
  'refused.console.starting-container': 'Der Container {container} wird gestartet.',
} as const
