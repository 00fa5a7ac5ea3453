/** Was an einem Plugin oder Mod nicht stimmt, in wenigen Worten. */
export const extensionProblems = {
  'extensions.problem-missing-dependency': 'Es fehlt {name}',
  'extensions.problem-missing-version': 'Es fehlt {name} {wants}',
  'extensions.problem-clash': 'Verträgt sich nicht mit {name}',
  'extensions.problem-wrong-software': 'Für andere Server-Software gemacht',
  'extensions.problem-wrong-software-for': 'Für {wants} gemacht',
  'extensions.problem-wrong-version': 'Für eine andere Minecraft-Version gemacht',
  'extensions.problem-wrong-version-for': 'Für Minecraft {wants} gemacht',
  'extensions.problem-wrong-side': 'Läuft nur im Spiel, nicht auf einem Server',
  'extensions.problem-wrong-java': 'Braucht eine andere Java-Version',
  'extensions.problem-wrong-java-for': 'Braucht Java {wants}',
  'extensions.problem-duplicate': 'Mehrfach installiert',
  'extensions.problem-duplicate-of': 'Auch als {name} installiert',
  'extensions.problem-unreadable': 'Die Datei konnte nicht gelesen werden',
  'extensions.problem-unknown': 'Hat ein Problem: {name}',
  'extensions.problem-something': 'etwas',
} as const
