export const serverRefusals = {
  'refused.server.not-found': 'Diesen Server gibt es nicht, oder du hast keinen Zugriff auf ihn.',
  'refused.server.not-found.deleted': 'Diesen Server gibt es nicht. Vielleicht wurde er gelöscht.',
  'refused.server.not-found.shared': 'Dieser Server ist nicht mehr mit dir geteilt.',
  'refused.server.not-running': 'Der Server läuft nicht.',
  'refused.server.not-running.commands': 'Starte den Server, um Befehle auszuführen.',
  'refused.server.not-reading':
    'Der Server liest keine Befehle mehr. Starte ihn neu, oder beende ihn sofort.',
  'refused.server.not-online': 'Statistik gibt es nur, während der Server online ist.',
  'refused.server.not-crashed':
    'Dieser Server ist nicht abgestürzt, seit er zuletzt online war, deshalb gibt es kein Log eines Absturzes.',
  'refused.server.running': 'Der Server läuft schon.',
  'refused.server.running.stop-first': 'Der Server läuft. Stoppe ihn zuerst, und {then:part} dann.',
  'refused.server.running.meanwhile':
    'Der Server wurde inzwischen gestartet, deshalb wurden seine Dateien nicht geändert. Versuche es noch einmal, wenn er online ist.',
  'refused.server.running.copied':
    'Der Server wurde gestartet, während er kopiert wurde, deshalb gibt es keine Kopie. Stoppe ihn, und dupliziere ihn dann noch einmal.',
  'refused.server.installing': 'Der Server wird noch eingerichtet. Danach lässt er sich {what:part}.',
  'refused.server.installing.wait':
    'Der Server wird noch eingerichtet. Warte, bis das fertig ist, oder brich es ab, und {then:part} dann.',
  'refused.server.stopping': 'Der Server stoppt noch. Danach lässt er sich {what:part}.',
  'refused.server.stopping.survivor':
    'Dieser Server läuft noch von vor dem Neustart des Dienstes und wird gerade gestoppt. Danach lässt er sich {what:part}.',
  'refused.server.starting': 'Der Server startet gerade. Gleich lässt er sich {what:part}.',
  'refused.server.port-taken':
    'Port {port} wird von einem anderen Programm benutzt. Beende das zuerst, und starte diesen Server dann noch einmal.',
  'refused.server.port-taken.ours':
    'Port {port} wird von deinem Server „{server}“ benutzt. Stoppe den zuerst, und starte diesen dann noch einmal.',
  'refused.server.port-taken.unusable':
    'Port {port} auf {host} lässt sich nicht verwenden ({code}). Wähle für diesen Server einen anderen Port oder eine andere Adresse.',
  'refused.server.port-taken.free':
    'Port {port} wird schon benutzt. {free} ist frei: Wähle diesen oder einen anderen.',
  'refused.server.no-port': 'Für diesen Server ist kein Port frei.',
  'refused.server.folder-busy':
    'Der Server wurde nicht gelöscht: Sein Ordner lässt sich nicht verschieben ({code}). Vielleicht benutzt ihn ein anderes Programm. Beende es, und lösche den Server dann noch einmal.',
  'refused.server.removing': 'Dieser Server wird gerade gelöscht und lässt sich nicht mehr ändern.',
  'refused.server.changed':
    'Der Server wurde geändert, während er kopiert wurde, deshalb gibt es keine Kopie. Dupliziere ihn noch einmal.',
  'refused.server.confirm-mismatch':
    'Um den Server zu löschen, gib seinen Namen genau so ein, wie er geschrieben ist.',
  'refused.server.forbidden.owner': 'Das kann nur der Besitzer von {server}.',
  'refused.server.forbidden':
    'Dir fehlt dafür auf {server} eine Berechtigung ({scopes}). Bitte den Besitzer, deine Rolle zu ändern.',
  'refused.server.forbidden.some':
    'Dir fehlen dafür auf {server} Berechtigungen ({scopes}). Bitte den Besitzer, deine Rolle zu ändern.',
  'refused.server.too-many': {
    one: 'Du nutzt den einzigen Server deines Kontos. Lösche ihn oder löse einen Promocode ein.',
    other: 'Du nutzt alle {count} Server deines Kontos. Lösche einen oder löse einen Promocode ein.',
  },
  'refused.server.too-many.ended': {
    one: 'Dieses Konto hat {count} Server, und mehr darf es nicht haben, seit am {day} (UTC) die Vorteile eines Promocodes geendet haben. Lösche ihn zuerst.',
    other:
      'Dieses Konto hat {count} Server, und mehr darf es nicht haben, seit am {day} (UTC) die Vorteile eines Promocodes geendet haben. Lösche zuerst einen.',
  },
  'refused.server.too-many.over': {
    one: 'Dieses Konto hat {count} Server und darf {most} haben. Lösche ihn zuerst.',
    other: 'Dieses Konto hat {count} Server und darf {most} haben. Lösche zuerst einen.',
  },
  'refused.server.too-many.over-ended': {
    one: 'Dieses Konto hat {count} Server und darf {most} haben, seit am {day} (UTC) die Vorteile eines Promocodes geendet haben. Lösche ihn zuerst.',
    other:
      'Dieses Konto hat {count} Server und darf {most} haben, seit am {day} (UTC) die Vorteile eines Promocodes geendet haben. Lösche zuerst einen.',
  },
  'refused.server.memory-limit':
    'Die Server eines Kontos dürfen hier zusammen {most} MB Arbeitsspeicher haben. Diese haben schon {used} MB: Wähle weniger, oder gib einem anderen Server weniger.',
  'refused.server.memory-limit.ended':
    'Die Server eines Kontos dürfen hier zusammen {most} MB Arbeitsspeicher haben, seit am {day} (UTC) die Vorteile eines Promocodes geendet haben. Diese haben schon {used} MB: Wähle weniger, oder gib einem anderen Server weniger.',
  'refused.service.stopping':
    'Der Dienst wird gerade beendet. Versuche es noch einmal, wenn er wieder läuft.',
  'refused.service.stopping.installation':
    'Der Dienst wurde beendet, während das installiert wurde. Es wurde nichts geändert. Installiere es noch einmal.',
  'refused.service.closing': 'Der Dienst wird gerade beendet. Starte den Server, wenn er wieder läuft.',
  'refused.service.disk-full':
    'Der Datenträger des Dienstes ist voll. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.service.disk-full.unwritable':
    'Der Dienst konnte nicht auf seinen Datenträger schreiben: Er ist voll, hat ein Kontingent erreicht oder ist defekt. Schaffe dort Platz, und versuche es dann noch einmal.',
  'refused.service.failed': 'Im Dienst ist ein Fehler aufgetreten. Mehr steht in seinem Log.',
  'refused.service.failed.request':
    'Im Dienst ist ein Fehler aufgetreten. Mehr steht in seinem Log bei der Anfrage {request}.',
  'refused.service.data-damaged':
    'Der Dienst kann seine Datenbank nicht mehr lesen. Wer ihn betreibt, muss ihn beenden und wieder starten: Dann sagt er, was sich tun lässt. Die Dateien der Server sind nicht betroffen.',

  'refused.part.started': 'starten',
  'refused.part.stopped': 'stoppen',
  'refused.part.restarted': 'neu starten',
  'refused.part.killed': 'sofort beenden',
  'refused.part.changed': 'ändern',
  'refused.part.delete-it': 'lösche ihn',
  'refused.part.install-the-modpack': 'installiere das Modpack',
  'refused.part.change-its-software': 'wechsle die Software',
  'refused.part.reset-it': 'setze ihn zurück',
  'refused.part.go-back': 'geh zurück',
  'refused.part.back-it-up': 'sichere ihn',
  'refused.part.bring-it-back': 'hole sein Backup zurück',
  'refused.part.duplicate-it': 'dupliziere ihn',
  'refused.part.change-its-port': 'ändere seinen Port',
  'refused.part.accept-the-license': 'stimme der Lizenz zu',
  'refused.server.starting.moment': 'Der Server startet gerade. Versuche es gleich noch einmal.',
  'refused.server.stopping.moment': 'Der Server stoppt gerade. Versuche es gleich noch einmal.',
  'refused.server.folder-missing':
    'Der Ordner dieses Servers fehlt: Er wurde verschoben oder gelöscht, oder er liegt auf einem Datenträger, der nicht angeschlossen ist. Bring ihn zurück, und versuche es dann noch einmal.',
  'refused.service.data-busy':
    'Die Datenbank des Dienstes (service.db) ist von einem anderen Programm gesperrt, etwa einer Sicherung oder einem Datenbankbetrachter. Schließe es, oder warte, bis es fertig ist, und versuche es dann noch einmal.',
}
