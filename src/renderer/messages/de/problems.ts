/** Worte für jeden Fehlercode: was geschehen ist und was nun zu tun ist. */
export const problems = {
  'problem.signed-out': 'Du bist von diesem Dienst abgemeldet',
  'problem.signed-out.now': 'Melde dich neu an. Was zu sehen ist, bleibt.',
  'problem.invalid': 'Der Dienst hat das nicht angenommen',
  'problem.invalid.now': 'Prüfe deine Eingaben und versuche es noch einmal.',
  'problem.forbidden': 'Dein Konto darf das nicht',
  'problem.forbidden.now': 'Bitte den Besitzer des Servers um die Berechtigung.',
  'problem.not-found': 'Das gibt es nicht mehr',
  'problem.not-found.now':
    'Es wurde entfernt oder wird nicht mehr mit dir geteilt. Sieh nach, was es jetzt gibt.',
  'problem.unavailable': 'Dieser Dienst bietet das nicht an',
  'problem.unavailable.now': 'Nach einem Tag wird noch einmal gefragt, oder wenn du es willst.',
  'problem.computer': 'Etwas auf diesem Computer steht im Weg',
  'problem.too-large': 'Das ist größer, als der Dienst erlaubt',
  'problem.too-large.now': 'Mach es kleiner, oder bitte den Dienst um eine höhere Grenze.',
  'problem.conflict': 'Das verträgt sich nicht mit dem, was jetzt da ist',
  'problem.conflict.now': 'Sieh nach, wie es jetzt steht, und versuche es dann noch einmal.',
  'problem.changed': 'Jemand hat das inzwischen geändert',
  'problem.changed.now': 'Nimm deine Änderung an der neuesten Fassung noch einmal vor.',
  'problem.incompatible': 'Der Dienst antwortet anders, als das Programm es versteht',
  'problem.incompatible.now':
    'Der Dienst ist vielleicht neuer oder älter als das Programm. Aktualisiere es, oder sag dem Betreiber Bescheid.',
  'problem.incompatible.why': 'Was nicht passte: {detail}',
  'problem.unconfirmed': 'Gesendet; der Dienst hat es nicht bestätigt',
  'problem.unsure.now':
    'Ob es geschehen ist, ist nicht bekannt. Sieh nach, wie es steht, bevor du es noch einmal versuchst.',
  'problem.rate-limited': 'Der Dienst bittet um Geduld',
  'problem.rate-limited.now': 'Warte ein wenig und versuche es dann noch einmal.',
  'problem.rate-limited.wait': {
    one: 'Versuche es in {count} Sekunde noch einmal.',
    other: 'Versuche es in {count} Sekunden noch einmal.',
  },
  'problem.service-failed': 'Der Dienst hatte selbst einen Fehler',
  'problem.service-failed.now': 'Versuche es noch einmal. Wenn es bleibt, sag dem Betreiber Bescheid.',
  'problem.no-room': 'Der Dienst hat dafür keinen Platz mehr',
  'problem.no-room.now': 'Schaffe dort Platz, oder bitte den Betreiber darum. Versuche es dann noch einmal.',
  'problem.offline': 'Der Dienst ist nicht erreichbar',
  'problem.offline.now': 'Prüfe Netz und Adresse. Was schon gelesen wurde, bleibt sichtbar.',
  'problem.untrusted': 'Dem Zertifikat dieses Dienstes ist nicht zu trauen',
  'problem.untrusted.now':
    'Gib kein Passwort ein. Prüfe die Adresse, oder bitte den Betreiber, das Zertifikat zu richten.',
  'problem.bad-address': 'Diese Basisadresse ist nicht brauchbar',
  'problem.bad-address.now': 'Berichtige die Adresse und versuche es noch einmal.',
  'problem.local-failed': 'Der Dienst auf diesem Computer ist nicht gestartet',
  'problem.local-failed.now':
    'Versuche es noch einmal. Wenn es bleibt, kopiere die Einzelheiten; im Protokoll steht mehr.',
  'problem.refused': 'Das Programm hat diese Anfrage abgelehnt',
  'problem.refused.now':
    'Das ist ein Fehler des Programms. Lade das Fenster neu und kopiere die Einzelheiten für einen Bericht.',
  'problem.internal': 'Im Programm ist etwas schiefgegangen',
  'problem.internal.now':
    'Versuche es noch einmal. Wenn es bleibt, kopiere die Einzelheiten für einen Bericht.',
} as const
