export const moveIn = {
  'move-in.text':
    'Wähle den Ordner des Servers, ein Archiv davon (zip oder tar.gz) oder seine Jar-Datei. Das Original bleibt unverändert.',
  'move-in.archive': 'Archiv auswählen',
  'move-in.folder': 'Ordner auswählen',
  'move-in.stop-first': 'Stoppe den Server dort zuerst, damit seine Welt vollständig ist.',
  'move-in.begins': 'Wird vorbereitet …',
  'move-in.sending': '{name} wird hochgeladen',
  'move-in.waits': 'Das Hochladen wartet. Unter „Übertragungen“ steht, warum.',
  'move-in.sending-goes-on': 'Du kannst diese Seite verlassen: Das Hochladen geht weiter.',
  'move-in.extracting': 'Das Archiv wird entpackt',
  'move-in.looking': 'Der Server wird geprüft',
  'move-in.progress': '{done} von {total}',
  'move-in.unfinished':
    'Einige Dateien konnten nicht hochgeladen werden. Unter „Übertragungen“ steht, welche und warum.',
  'move-in.upload-again': 'Den Rest noch einmal hochladen',
  'move-in.again': 'Etwas anderes auswählen',
  'move-in.unread': 'Die Dateien konnten nicht geprüft werden',

  'move-in.failed-nothing-found':
    'In diesen Dateien wurde kein Minecraft-Server gefunden. Wähle den Ordner, in dem server.properties oder die Jar-Datei des Servers liegt, oder ein Archiv davon.',
  'move-in.failed-bedrock':
    'Das ist ein Server oder eine Welt der Bedrock Edition. Wheelhouse betreibt Server der Java Edition, die damit nichts anfangen können. Wähle einen Java-Server oder wandle die Welt vorher um.',
  'move-in.failed-archive-broken':
    'Dieses Archiv ist beschädigt oder unvollständig; es wurde nichts entpackt. Erstelle es neu oder wähle stattdessen den Ordner.',
  'move-in.failed-archive-encrypted':
    'Dieses Archiv ist mit einem Passwort geschützt. Entpacke es auf deinem Computer und wähle dann den Ordner.',
  'move-in.failed-archive-unknown':
    'Dieses Archiv lässt sich hier nicht entpacken. Nimm zip, tar oder tar.gz, oder wähle stattdessen den Ordner.',
  'move-in.failed-archive-bomb':
    'Dieses Archiv wurde nicht entpackt: Es wächst auf weit mehr als seine Größe, was übliche Archive nicht tun. Wähle stattdessen den Ordner.',
  'move-in.failed-archive-too-many':
    'Dieses Archiv enthält zu viele Dateien; es wurde nichts entpackt. Lösche, was der Server nicht braucht, etwa Logs und alte Backups, und erstelle es neu.',
  'move-in.failed-disk-full':
    'Auf dem Datenträger des Dienstes ist zu wenig Platz für den Server. Schaffe dort Platz und versuche es dann noch einmal.',

  'move-in.found': 'Das wurde gefunden',
  'move-in.software': 'Software',
  'move-in.software-unknown': 'Nicht erkannt. Wähle unten, womit er läuft.',
  'move-in.version-unknown': '{software}, Version nicht erkannt',
  'move-in.jar': 'Jar-Datei',
  'move-in.jar-java': '{jar} (braucht Java {major} oder neuer)',
  'move-in.world': 'Welt',
  'move-in.worlds': 'Welten',
  'move-in.world-saved': '{world} (gespeichert mit {version})',
  'move-in.no-world': 'Keine gefunden. Es entsteht eine neue.',
  'move-in.level-missing':
    'Seine Einstellungen laden die Welt „{name}“, die nicht dabei ist: Beim ersten Start entsteht eine neue. Um eine andere Welt zu nutzen, ändere level-name in den Einstellungen, bevor du ihn startest.',
  'move-in.level-form':
    'In seinen Einstellungen heißt die Welt „{name}“, ihr Ordner aber „{folder}“. level-name wird an den Ordner angepasst, damit diese Welt geladen wird.',
  'move-in.level-outside':
    'level-name in seinen Einstellungen („{name}“) nennt keinen Ordner innerhalb des Serverordners. Es wird auf „{folder}“ gesetzt.',
  'move-in.plugins': 'Plugins',
  'move-in.mods': 'Mods',
  'move-in.motd': 'Nachricht des Tages',
  'move-in.players': 'Spieler',
  'move-in.operators': { one: '{count} Operator', other: '{count} Operatoren' },
  'move-in.whitelist-on': {
    one: '{count} auf der Whitelist; sie ist an: sonst kann niemand beitreten',
    other: '{count} auf der Whitelist; sie ist an: sonst kann niemand beitreten',
  },
  'move-in.whitelist-off': {
    one: '{count} auf der Whitelist; sie ist aus',
    other: '{count} auf der Whitelist; sie ist aus',
  },
  'move-in.bans': { one: '{count} Sperre', other: '{count} Sperren' },
  'move-in.remote-console':
    'Seine Fernkonsole (RCON) wird beim Übernehmen ausgeschaltet: Wer diese Dateien hat, kennt ihr Passwort. Um sie wieder zu nutzen, trage in server.properties ein neues Passwort ein und schalte sie dann in seinen Einstellungen ein.',
  'move-in.files': 'Dateien',
  'move-in.files-bytes': { one: '{count} Datei, {bytes}', other: '{count} Dateien, {bytes}' },
  'move-in.own-jar': 'Die mitgebrachte Jar-Datei: {jar}',
  'move-in.own-jar-text': 'Sie läuft, wie sie ist. Wheelhouse aktualisiert sie nicht.',
  'move-in.version-none': 'nicht erkannt',
  'move-in.other-version':
    'Der Server lief mit {from}. Beim Start mit {to} wird seine Welt umgewandelt und lässt sich mit {from} nicht mehr öffnen. Behalte das Original, bis alles läuft.',
  'move-in.older-version':
    'Die Welt wurde mit {from} gespeichert. {to} ist älter und kann sie vielleicht nicht öffnen.',
  'move-in.older-than-ran':
    'Der Server lief mit {from}. {to} ist älter und kann seine Welt vielleicht nicht öffnen.',
  'move-in.other-kind':
    'Der Server lief mit {from}. Plugins und Mods dafür funktionieren mit {to} vielleicht nicht.',
  'move-in.memory-hint': 'Das Startskript des Servers gibt ihm {memory}.',
  'move-in.port': 'Port',
  'move-in.port-taken': 'Sein eigener, {port}, ist hier belegt.',
  'move-in.button': 'Server übernehmen',
  'move-in.ready': 'Der Server kann übernommen werden.',
} as const
