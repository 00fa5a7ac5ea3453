export const extensionProblems = {
  'extensions.problem-missing-dependency': '{name} fehlt',
  'extensions.problem-missing-version': 'Braucht {name} {wants}: fehlt oder hat eine andere Version',
  'extensions.problem-clash': 'Verträgt sich nicht mit {name}',
  'extensions.problem-wrong-software': 'Für andere Server-Software gemacht',
  'extensions.problem-wrong-software-for': 'Für {wants} gemacht',
  'extensions.problem-not-for-folia': 'Gibt nicht an, dass es auf Folia läuft',
  'extensions.problem-wrong-version': 'Für eine andere Minecraft-Version gemacht',
  'extensions.problem-wrong-version-for': 'Für Minecraft {wants} gemacht',
  'extensions.problem-wrong-side': 'Läuft nur im Spiel, nicht auf einem Server',
  'extensions.problem-wrong-java': 'Braucht eine andere Java-Version',
  'extensions.problem-wrong-java-for': 'Braucht Java {wants}',
  'extensions.problem-wrong-java-newer':
    'Braucht Java {wants} oder neuer, dieser Server läuft aber mit Java {has}',
  'extensions.problem-wrong-java-has': 'Braucht Java {wants}, dieser Server läuft aber mit Java {has}',
  'extensions.problem-duplicate': 'Mehrfach installiert',
  'extensions.problem-duplicate-of': 'Auch als {name} installiert',
  'extensions.problem-unreadable': 'Die Datei konnte nicht gelesen werden',
  'extensions.problem-not-described': 'Nichts in der Datei weist sie als Plugin oder Mod aus',
  'extensions.problem-invalid-description': 'Die {name} darin ist ungültig, der Server kann es nicht laden',
  'extensions.problem-invalid-field':
    'Die {name} darin ist ungültig ({field}), der Server kann es nicht laden',
  'extensions.problem-wrong-file-name': 'Der Server lädt es wegen seines Dateinamens nicht',
  'extensions.problem-unknown': 'Hat ein Problem: {name}',
  'extensions.problem-something': 'etwas',
  'extensions.advice-missing-dependency': 'Suche es in den Katalogen oder füge seine jar-Datei hinzu.',
  'extensions.advice-clash': 'Deaktiviere oder entferne eines der beiden.',
  'extensions.advice-wrong-software':
    'Installiere stattdessen die Ausgabe für die Software dieses Servers oder entferne es.',
  'extensions.advice-wrong-version':
    'Wähle eine Version, die zur Minecraft-Version dieses Servers passt, oder deaktiviere es.',
  'extensions.advice-wrong-side': 'Entferne es hier. Spieler installieren es in ihrem eigenen Spiel.',
  'extensions.advice-wrong-java': 'Wähle ein anderes Java für diesen Server.',
  'extensions.advice-older-java':
    'Wähle für diesen Server Java {wants} oder neuer, oder installiere stattdessen eine ältere Version.',
  'extensions.advice-no-newer-java':
    'Die Software dieses Servers läuft höchstens mit Java {most}. Installiere stattdessen eine ältere Version, oder wechsle zu einer neueren Minecraft-Version.',
  'extensions.advice-duplicate':
    'Behalte eines und entferne die anderen: Welches geladen wird, ist ungewiss.',
  'extensions.advice-unreadable': 'Lade die Datei noch einmal herunter oder entferne sie.',
  'extensions.advice-not-described':
    'Prüfe, ob es die richtige Datei ist. Wenn der Server sie nicht braucht, entferne sie.',
  'extensions.advice-invalid-description': 'Installiere eine andere Version davon oder entferne es.',
  'extensions.advice-wrong-file-name': 'Benenne die Datei in {name} um.',
  'extensions.unreadable-empty': 'Die Datei ist leer',
  'extensions.unreadable-not-zip': 'Die Datei ist keine Jar-Datei, auch wenn sie so heißt',
  'extensions.unreadable-damaged': 'Die Datei ist beschädigt oder unvollständig',
  'extensions.unreadable-too-large': 'Größer als 2 GiB, daher nicht untersucht',
  'extensions.unreadable-too-slow':
    'Sie zu untersuchen hat zu lange gedauert oder zu viel Speicher gebraucht',
  'extensions.unreadable-not-file': 'Ein Link an einen anderen Ort, dem nicht gefolgt wird',
  'extensions.unreadable-not-opened': 'Die Datei konnte nicht geöffnet werden',
  'extensions.problem-broken-description': '{name} darin ist nicht lesbar',
  'extensions.advice-not-read':
    'Der Server lädt sie vielleicht trotzdem. Was sie ist und was sie braucht, ist nicht bekannt.',
} as const
