export const extensionRefusals = {
  'refused.extensions.not-found':
    'Diese Erweiterung ist nicht mehr auf dem Server installiert. Vielleicht wurde sie entfernt oder umbenannt. Lade die Liste neu.',
  'refused.extensions.not-found.anywhere': 'Diese Erweiterung gibt es nicht. Suche noch einmal danach.',
  'refused.extensions.not-found.at':
    '{catalog} kennt diese Erweiterung nicht oder bietet sie nicht mehr an. Suche noch einmal danach.',
  'refused.extensions.not-found.picture': 'Von dieser Erweiterung gibt es kein Bild.',
  'refused.extensions.no-catalog':
    'Dieser Dienst fragt keine Kataloge nach Erweiterungen. Jars kannst du weiterhin bei den Dateien des Servers hochladen.',
  'refused.extensions.not-supported':
    'Die Software dieses Servers lädt weder Plugins noch Mods. Erstelle einen Server mit Paper oder Fabric, um Erweiterungen zu nutzen.',
  'refused.extensions.busy':
    'Auf diesem Server werden gerade Erweiterungen installiert. Warte, bis das fertig ist, oder brich es ab, und versuche es dann noch einmal.',
  'refused.extensions.not-running': 'Auf diesem Server wird gerade nichts installiert.',
  'refused.extensions.name-taken':
    'Eine andere Datei heißt hier schon „{name}“. Benenne bei den Dateien des Servers eine der beiden um, oder entferne sie, und versuche es dann noch einmal.',
  'refused.extensions.nothing-to-undo':
    'Auf diesem Server gibt es keine Änderung, die sich rückgängig machen lässt.',
  'refused.extensions.nothing-new':
    'Es wurde nichts installiert: Alles davon ist in der gewählten Version schon auf dem Server.',
  'refused.extensions.too-many-wait':
    'Zu viele Änderungen warten auf den nächsten Start des Servers. Starte ihn neu, und mach dann diese.',
  'refused.extensions.changed-since':
    'Die letzte Änderung lässt sich nicht mehr rückgängig machen: Ihre Dateien wurden seitdem geändert, gelöscht oder aus dem Papierkorb entfernt. Installiere stattdessen die Versionen, die du möchtest.',
  'refused.extensions.cannot':
    'Es wurde nichts installiert, weil sich das für diesen Server nicht herunterladen lässt: {names}. Wähle andere Versionen, oder lass es weg.',
  'refused.extensions.not-a-jar':
    'Es wurde nichts installiert, weil das, was für „{name}“ heruntergeladen wurde, keine lesbare Jar-Datei ist. Versuche es später noch einmal, oder wähle eine andere Version.',
  'refused.extensions.unreadable':
    'Es wurde nichts hinzugefügt, weil „{name}“ keine lesbare Jar-Datei ist. Vielleicht ist sie unvollständig: Lade sie noch einmal herunter.',
  'refused.extensions.unreadable.empty':
    'Es wurde nichts hinzugefügt, weil „{name}“ leer ist. Lade die Datei noch einmal herunter.',
  'refused.extensions.unreadable.not-zip':
    'Es wurde nichts hinzugefügt, weil „{name}“ keine Jar-Datei ist, auch wenn sie so heißt. Wähle die Jar-Datei des Plugins oder Mods.',
  'refused.extensions.unreadable.damaged':
    'Es wurde nichts hinzugefügt, weil „{name}“ beschädigt oder unvollständig ist. Lade die Datei noch einmal herunter.',
  'refused.extensions.unreadable.too-large':
    'Es wurde nichts hinzugefügt, weil „{name}“ größer als 2 GiB ist und so große Dateien nicht untersucht werden. Lade die Datei bei den Dateien des Servers hoch.',
  'refused.extensions.unreadable.too-slow':
    'Es wurde nichts hinzugefügt, weil es zu lange gedauert oder zu viel Speicher gebraucht hat, „{name}“ zu untersuchen. Wenn du der Datei vertraust, lade sie bei den Dateien des Servers hoch.',
  'refused.extensions.canceled': 'Die Installation wurde abgebrochen. Es wurde nichts geändert.',
  'refused.extensions.too-many-files':
    'Hangar gibt immer nur über eine Datei Auskunft und konnte noch nicht nach allen gefragt werden. Versuche es in einer Minute noch einmal.',
  'refused.extensions.waiting.shared':
    'Das wird gerade schon für einen anderen Server heruntergeladen. Beide warten auf denselben Download.',
  'refused.extensions.waiting.host': {
    one: '{host} nimmt gerade keine weiteren Anfragen an. Der Download geht in {count} Sekunde weiter.',
    other: '{host} nimmt gerade keine weiteren Anfragen an. Der Download geht in {count} Sekunden weiter.',
  },
}
