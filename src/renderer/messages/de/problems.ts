export const problems = {
  'problem.signed-out': 'Du bist von diesem Dienst abgemeldet',
  'problem.signed-out.now': 'Melde dich neu an, um fortzufahren. Was hier angezeigt wird, bleibt.',
  'problem.invalid': 'Der Dienst hat das nicht angenommen',
  'problem.invalid.now': 'Prüfe deine Eingaben und versuche es noch einmal.',
  'problem.forbidden': 'Dein Konto darf das nicht',
  'problem.forbidden.now':
    'Bitte den Besitzer des Servers oder den Betreiber des Dienstes um die Berechtigung.',
  'problem.forbidden.now-service': 'Bitte den Betreiber des Dienstes um die Berechtigung.',
  'problem.not-found': 'Das wurde nicht gefunden',
  'problem.not-found.now':
    'Es wurde vielleicht entfernt oder wird nicht mehr mit dir geteilt. Sieh nach, was jetzt da ist.',
  'problem.unavailable': 'Dieser Dienst bietet das nicht an',
  'problem.unavailable.now': 'Das Programm prüft es nach einem Tag erneut, oder wenn du es anstößt.',
  'problem.computer': 'Es gibt ein Problem auf diesem Computer',
  'problem.too-large': 'Das ist größer, als der Dienst erlaubt',
  'problem.too-large.now': 'Verkleinere es, oder bitte den Betreiber um eine höhere Grenze.',
  'problem.conflict': 'Das steht im Widerspruch zum aktuellen Stand',
  'problem.conflict.now': 'Sieh dir den aktuellen Stand an und versuche es dann noch einmal.',
  'problem.changed': 'Das wurde inzwischen anderswo geändert',
  'problem.changed.now': 'Nimm deine Änderung an der neuesten Fassung noch einmal vor.',
  'problem.incompatible': 'Der Dienst hat eine Antwort gesendet, die das Programm nicht versteht',
  'problem.incompatible.now':
    'Der Dienst ist vielleicht neuer oder älter als das Programm. Aktualisiere es, oder sag dem Betreiber Bescheid.',
  'problem.incompatible.why': 'Was sich nicht lesen ließ: {detail}',
  'problem.unconfirmed': 'Gesendet; der Dienst hat es nicht bestätigt',
  'problem.unsure.now':
    'Ob es geschehen ist, ist nicht bekannt. Sieh nach, wie es steht, bevor du es noch einmal versuchst.',
  'problem.rate-limited': 'Der Dienst hat zu viele Anfragen erhalten',
  'problem.rate-limited.now': 'Warte einen Moment und versuche es dann noch einmal.',
  'problem.rate-limited.wait': {
    one: 'Versuche es in {count} Sekunde noch einmal.',
    other: 'Versuche es in {count} Sekunden noch einmal.',
  },
  'problem.service-failed': 'Im Dienst ist ein interner Fehler aufgetreten',
  'problem.service-failed.now':
    'Versuche es noch einmal. Wenn das öfter passiert, sag dem Betreiber Bescheid.',
  'problem.not-now': 'Der Dienst ist gerade nicht verfügbar',
  'problem.not-now.now': 'Versuche es gleich noch einmal.',
  'problem.broken': 'Die Antwort des Dienstes ließ sich nicht lesen',
  'problem.no-room': 'Der Dienst hat dafür keinen Speicherplatz mehr',
  'problem.no-room.now':
    'Schaffe dort Speicherplatz, oder bitte den Betreiber darum. Versuche es dann noch einmal.',
  'problem.offline': 'Der Dienst ist nicht erreichbar',
  'problem.offline.now': 'Prüfe Netzwerk und Adresse.',
  'problem.untrusted': 'Dem Zertifikat dieses Dienstes kann nicht vertraut werden',
  'problem.untrusted.now':
    'Gib kein Passwort ein. Prüfe die Adresse, oder bitte den Betreiber, das Zertifikat zu korrigieren.',
  'problem.bad-address': 'Diese Adresse kann nicht verwendet werden',
  'problem.bad-address.now': 'Korrigiere die Adresse und versuche es noch einmal.',
  'problem.local-failed': 'Der Dienst auf diesem Computer ist nicht gestartet',
  'problem.local-failed.now':
    'Versuche es noch einmal. Wenn das öfter passiert, kopiere die Details; im Log steht mehr.',
  'problem.refused': 'Das Programm hat diese Anfrage abgelehnt',
  'problem.refused.now':
    'Das ist ein Fehler im Programm. Lade das Fenster neu und kopiere die Details für einen Bericht.',
  'problem.part': 'Dieser Teil des Programms konnte nicht geladen werden',
  'problem.internal': 'Im Programm ist etwas schiefgegangen',
  'problem.internal.now':
    'Versuche es noch einmal. Wenn das öfter passiert, kopiere die Details für einen Bericht.',
} as const
