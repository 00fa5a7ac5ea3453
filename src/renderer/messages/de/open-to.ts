export const openTo = {
  'open-to.who': 'Wer sich verbinden kann',
  'open-to.computer': 'Nur dieser Computer',
  'open-to.network': 'Alle in deinem Netzwerk',
  'open-to.computer-text': 'Sonst kann niemand beitreten.',
  'open-to.network-text': 'Auch aus dem Internet, sobald dein Router den Port weiterleitet.',
  'open-to.elsewhere-computer': 'Nur Programme auf dem Computer des Servers',
  'open-to.elsewhere-network': 'Alle, die den Computer des Servers erreichen',
  'open-to.elsewhere-computer-text': 'Spieler können nur über einen Proxy beitreten, der dort läuft.',
  'open-to.elsewhere-network-text': 'Die Firewall dort muss den Port durchlassen.',
  'open-to.runs-computer': 'Bis zum nächsten Start kann sich nur der Computer des Servers verbinden.',
  'open-to.runs-network':
    'Bis zum nächsten Start können sich alle verbinden, die den Computer des Servers erreichen.',
  'open-to.names-open':
    'Dieser Server prüft Konten nicht selbst (online-mode ist aus). Wenn er Spieler nicht nur von einem Proxy annimmt, kann jeder, der ihn erreicht, unter jedem Namen beitreten, auch unter deinem.',
  'open-to.names-demo':
    'Die Demo prüft keine Konten: Wer sie erreicht, kann unter jedem Namen beitreten, auch unter deinem.',

  'open-to.how': 'Verbinden',
  'open-to.title': 'So verbindet man sich mit {name}',
  'open-to.way-computer': 'Dieser Computer',
  'open-to.way-elsewhere': 'Der Computer des Servers',
  'open-to.way-network': 'Dein Netzwerk',
  'open-to.way-network-elsewhere': 'Das Netzwerk des Servers',
  'open-to.way-internet': 'Das Internet',
  'open-to.joined': 'Funktioniert: {ago} ist jemand so beigetreten.',
  'open-to.answers': 'Funktioniert.',
  'open-to.open': 'Offen. So ist noch niemand beigetreten.',
  'open-to.silent': 'Unter dieser Adresse antwortet der Server nicht.',
  'open-to.unknown': 'So ist noch niemand beigetreten.',
  'open-to.down': 'Starte den Server, um zu sehen, ob es funktioniert.',
  'open-to.router':
    'Leite im Router den TCP-Port {port} an {host} weiter. Dann treten Freunde über deine öffentliche Adresse bei, die dein Router anzeigt.',
  'open-to.router-bare':
    'Leite im Router den TCP-Port {port} an diesen Computer weiter. Dann treten Freunde über deine öffentliche Adresse bei, die dein Router anzeigt.',
  'open-to.closed':
    'Nur Programme auf diesem Computer können sich verbinden. Damit andere beitreten können, ändere, wer sich verbinden kann.',
  'open-to.closed-elsewhere':
    'Nur Programme auf dem Computer des Servers können sich verbinden. Damit andere beitreten können, ändere, wer sich verbinden kann.',
  'open-to.change': 'Ändern, wer sich verbinden kann',
  'open-to.firewall':
    'Wenn andere nicht beitreten können, hält sie vielleicht die Firewall dieses Computers ab: Erlaube Java, Verbindungen anzunehmen.',
  'open-to.unread': 'Wie man sich verbindet, konnte nicht gelesen werden',
} as const
