export const consoleRefusals = {
  'refused.console.verbatim': '{words}',

  'refused.console.starting': '{software} {version} startet.',
  'refused.console.not-started': 'Der Server konnte nicht gestartet werden.',
  'refused.console.answers':
    'Der Server antwortet und gilt darum als online. In seinem Log stand nicht, dass er bereit ist.',
  'refused.console.stopping': 'Der Server wird gestoppt.',
  'refused.console.restarting': 'Neustart: Der Server wird zuerst gestoppt.',
  'refused.console.falls-asleep': {
    one: 'Seit {count} Minute ist niemand da: Der Server schläft jetzt und wacht auf, wenn jemand beitritt.',
    other:
      'Seit {count} Minuten ist niemand da: Der Server schläft jetzt und wacht auf, wenn jemand beitritt.',
  },
  'refused.console.falls-asleep-alone': {
    one: 'Seit {count} Minute ist niemand da: Der Server schläft jetzt, bis er hier gestartet wird.',
    other: 'Seit {count} Minuten ist niemand da: Der Server schläft jetzt, bis er hier gestartet wird.',
  },
  'refused.console.wakes': '{name} will beitreten: Der Server wacht auf.',
  'refused.console.cannot-listen':
    'Niemand kann den Server durch Beitreten wecken: Etwas anderes nutzt seinen Port {port}. Es wird wieder versucht.',
  'refused.console.killing': 'Der Server wird sofort beendet, mit allen seinen Prozessen.',
  'refused.console.asked-to-end': {
    one: 'Der Server hat nicht innerhalb einer Sekunde gestoppt. Er wird zum Beenden aufgefordert (TERM).',
    other:
      'Der Server hat nicht innerhalb von {count} Sekunden gestoppt. Er wird zum Beenden aufgefordert (TERM).',
  },
  'refused.console.made-to-end': {
    one: 'Der Server hat sich nicht innerhalb einer Sekunde beendet. Alle seine Prozesse werden beendet (KILL).',
    other:
      'Der Server hat sich nicht innerhalb von {count} Sekunden beendet. Alle seine Prozesse werden beendet (KILL).',
  },
  'refused.console.children':
    'Der Server ist beendet, aber Programme, die er gestartet hat, laufen noch. Sie werden zum Beenden aufgefordert (TERM).',
  'refused.console.survivor':
    'Der Dienst wurde neu gestartet, während dieser Server lief. Was davon noch läuft, wird gestoppt.',
  'refused.console.reconnected':
    'Der Dienst ist zurück und wieder verbunden: Der Server lief inzwischen weiter.',
  'refused.console.survivor-ended': 'Der Server ist gestoppt und kann wieder gestartet werden.',
  'refused.console.survivor-runs':
    'Vielleicht läuft noch etwas davon: Beende sein Programm, bevor du ihn wieder startest.',

  'refused.part.exit-code': 'Code {code}',
  'refused.part.signal': 'Signal {signal}',
  'refused.console.stopped': 'Der Server ist gestoppt.',
  'refused.console.abandoned':
    'Der Rechner des Servers ist nicht erreichbar, deshalb gilt der Server als gestoppt. Er läuft dort vielleicht noch.',
  'refused.console.ended': 'Der Server ist beendet ({how:part}).',
  'refused.console.crashed':
    'Der Server ist abgestürzt ({how:part}). Vielleicht sagen die Zeilen darüber, warum.',
  'refused.console.crashed-because': 'Der Server ist abgestürzt ({how:part}):',
  'refused.console.crashed-starting':
    'Der Server hat sich beim Starten beendet ({how:part}). Vielleicht sagen die Zeilen darüber, warum.',
  'refused.console.crashed-starting-because': 'Der Server hat sich beim Starten beendet ({how:part}):',
  'refused.console.again':
    'Der Server wird automatisch neu gestartet ({attempt} von {most} in {minutes} Minuten).',
  'refused.console.no-more':
    'Der Server ist in {minutes} Minuten {crashes}-mal abgestürzt und wird nicht mehr automatisch neu gestartet. Finde zuerst heraus, warum.',

  'refused.console.installing': '{what} wird installiert.',
  'refused.console.installed': '{what} ist installiert.',
  'refused.console.install-canceled': 'Die Installation wurde abgebrochen.',
  'refused.console.not-installed': '{what} konnte nicht installiert werden.',
  'refused.console.too-late': 'Zum Abbrechen war es zu spät.',
  'refused.console.changing':
    'Die Software wird zu {what} gewechselt. Vorher wird eine Kopie des Servers erstellt.',
  'refused.console.changed': 'Die Software ist jetzt {what}.',
  'refused.console.change-canceled': 'Der Wechsel wurde abgebrochen. Der Server ist wie vorher.',
  'refused.console.not-changed': 'Die Software wurde nicht gewechselt, der Server ist wie vorher.',
  'refused.console.went-back': 'Die Kopie ist wiederhergestellt. Die Software ist jetzt {what}.',
  'refused.console.folder-moved': 'Der Ordner {from} der Welt heißt jetzt {to}.',
  'refused.console.world-aside': 'Die Welt {from} bleibt als {to} erhalten.',
  'refused.console.resetting': 'Der Server wird zurückgesetzt. Vorher wird eine Kopie erstellt.',
  'refused.console.reset': 'Der Server ist zurückgesetzt. Beim nächsten Start entsteht eine neue Welt.',
  'refused.console.reset-canceled': 'Das Zurücksetzen wurde abgebrochen. Der Server ist wie vorher.',
  'refused.console.not-reset': 'Der Server wurde nicht zurückgesetzt und ist wie vorher.',
  'refused.console.pack': 'Das Modpack {name} wird installiert.',
  'refused.console.pack-copied':
    'Das Modpack {name} wird installiert. Vorher wird eine Kopie des Servers erstellt.',
  'refused.console.pack-installed': 'Das Modpack {name} ist installiert.',
  'refused.console.pack-canceled':
    'Die Installation des Modpacks wurde abgebrochen. Der Server ist wie vorher.',
  'refused.console.pack-not-installed': 'Das Modpack wurde nicht installiert, der Server ist wie vorher.',
  'refused.console.backed-up': 'Backup erstellt: {bytes:bytes}.',
  'refused.console.backup-not-copied': 'Das Backup wurde nicht nach {target} kopiert:',
  'refused.console.not-backed-up': 'Das Backup ist fehlgeschlagen:',
  'refused.console.not-tried': 'Das Backup konnte nicht geprüft werden:',
  'refused.console.bringing-back': 'Ein Backup wird zurückgeholt.',
  'refused.console.brought-back': 'Das Backup ist zurückgeholt. Die Software ist {what}.',
  'refused.console.brought-back-part': 'Das Gewünschte ist aus dem Backup zurückgeholt.',
  'refused.console.bring-back-canceled': 'Das Zurückholen wurde abgebrochen. Der Server ist wie vorher.',
  'refused.console.not-brought-back': 'Es wurde nichts zurückgeholt, der Server ist wie vorher.',
  'refused.console.left-out': {
    one: '{count} Mod wurde weggelassen, weil er nach eigener Angabe nur ins Spiel der Spieler gehört: {names}.',
    other:
      '{count} Mods wurden weggelassen, weil sie nach eigener Angabe nur ins Spiel der Spieler gehören: {names}.',
  },

  'refused.console.waiting':
    '{host} nimmt gerade keine Anfragen mehr an. Der Download geht in {seconds} Sekunden weiter.',
  'refused.console.shared':
    'Das wird schon für einen anderen Server heruntergeladen. Beide warten auf denselben Download.',
  'refused.console.java-missing': 'Java {major} fehlt auf diesem Computer und wird heruntergeladen.',
  'refused.console.java-gone':
    'Er braucht Java {major}, das auf diesem Computer nicht mehr da ist. Starte ihn noch einmal: Java {major} wird dann zuerst heruntergeladen.',
  'refused.console.java-other':
    'Java {wanted} gibt es für diesen Computer nicht. Genommen wurde Java {major}, das auch passt.',
  'refused.console.build-instead': 'Stattdessen wird Build {build} installiert, der schon hier ist.',
  'refused.console.installer':
    'Der Installer von {software} läuft. Er lädt herunter, was {software} braucht; das kann Minuten dauern.',
  'refused.console.installer-more': 'Der Installer hat noch {lines} Zeilen ausgegeben.',
  'refused.console.other-edition':
    '{software} ist für eine andere Ausgabe von Minecraft {version} gemacht, als Mojang anbietet, und lädt sie beim ersten Start herunter.',
  'refused.console.game-missing':
    'Der Server von Minecraft selbst fehlt noch, und {software} braucht ihn zum Starten.',
  'refused.console.not-made-ready':
    '{software} konnte nicht auf den ersten Start vorbereitet werden und holt das beim Starten nach.',

  'refused.console.unwritten':
    'Diese Konsole lässt sich nicht auf den Datenträger schreiben ({why}). Neue Zeilen bleiben nur im Arbeitsspeicher: Prüfe den Datenträger.',
  'refused.console.written': 'Diese Konsole wird wieder auf den Datenträger geschrieben.',
}
