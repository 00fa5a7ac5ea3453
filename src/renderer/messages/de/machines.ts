export const machines = {
  'machines.title': 'Dateien über SFTP',
  'machines.text':
    'Große Dateien gehen über SFTP, wo dein Hoster es zulässt. Das sind die Rechner deiner Server und die Schlüssel, die sie zeigten. Ein Rechner mit einem anderen Schlüssel wird abgelehnt.',
  'machines.text-sftp':
    'Der Schlüssel, den der Hoster bei deiner Anmeldung zeigte. Ein anderer wird abgelehnt, bis du dich neu anmeldest.',
  'machines.none': 'Deine Server nennen keinen Rechner für SFTP.',
  'machines.not-met': 'noch nicht besucht',
  'machines.forget': 'Vergessen',
  'machines.forget-named': 'Den Schlüssel von {machine} vergessen',
  'machines.forget-title': 'Den Schlüssel von {machine} vergessen?',
  'machines.forget-text':
    'Der nächste Schlüssel, den er zeigt, wird angenommen. Tu das nur, wenn dein Hoster sagt, dass er sich geändert hat.',
  'machines.password-none':
    'Dein Passwort beim Panel ist nur nötig, wenn dein Hoster für SFTP keine SSH-Schlüssel annimmt.',
  'machines.password-kept':
    'Dein Passwort beim Panel ist im Schlüsselbund. Es wird benutzt, wo kein SSH-Schlüssel angenommen wird.',
  'machines.password-refused':
    'Ein Rechner hat dein Passwort abgelehnt, also wird es nicht mehr benutzt. Gib es noch einmal ein.',
  'machines.enter': 'Passwort eingeben …',
  'machines.forget-password': 'Passwort entfernen',
  'machines.enter-title': 'Dein Passwort beim Panel eingeben',
  'machines.enter-text':
    'Es wird geprüft, im Schlüsselbund aufbewahrt und nur an diese Rechner gesendet. Vergleiche ihre Schlüssel mit denen deines Hosters, falls er sie nennt.',
  'machines.password': 'Passwort beim Panel',
  'machines.asked': 'Die Rechner werden nach ihren Schlüsseln gefragt …',
  'machines.unreached': 'Gerade antwortet kein Rechner deiner Server über SFTP.',
  'machines.entered': 'Passwort gespeichert.',
}
