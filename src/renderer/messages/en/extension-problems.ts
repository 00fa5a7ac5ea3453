import { loaded } from '../base/loaded.ts'

export const extensionProblems = loaded({
  'extensions.problem-missing-dependency': '{name} is missing',
  'extensions.problem-missing-version': 'Needs {name} {wants}, which is missing or has another version',
  'extensions.problem-clash': 'Conflicts with {name}',
  'extensions.problem-wrong-software': 'Made for other server software',
  'extensions.problem-wrong-software-for': 'Made for {wants}',
  'extensions.problem-not-for-folia': 'Doesn’t say that it works on Folia',
  'extensions.problem-wrong-version': 'Made for another version of Minecraft',
  'extensions.problem-wrong-version-for': 'Made for Minecraft {wants}',
  'extensions.problem-wrong-side': 'Works only in the game, not on a server',
  'extensions.problem-wrong-java': 'Needs another version of Java',
  'extensions.problem-wrong-java-for': 'Needs Java {wants}',
  'extensions.problem-wrong-java-newer': 'Needs Java {wants} or newer, and this server runs with Java {has}',
  'extensions.problem-wrong-java-has': 'Needs Java {wants}, and this server runs with Java {has}',
  'extensions.problem-duplicate': 'Installed more than once',
  'extensions.problem-duplicate-of': 'Also installed as {name}',
  'extensions.problem-unreadable': 'The file couldn’t be read',
  'extensions.problem-not-described': 'Nothing in the file says that it is a plugin or mod',
  'extensions.problem-invalid-description': 'Its {name} is invalid, so the server can’t load it',
  'extensions.problem-invalid-field': 'Its {name} is invalid ({field}), so the server can’t load it',
  'extensions.problem-wrong-file-name': 'The server doesn’t load it because of its file name',
  'extensions.problem-unknown': 'Has a problem: {name}',
  'extensions.problem-something': 'something',
  'extensions.advice-missing-dependency': 'Find it in the catalogs, or add its jar file.',
  'extensions.advice-clash': 'Disable or remove one of the two.',
  'extensions.advice-wrong-software': 'Install the edition for this server’s software instead, or remove it.',
  'extensions.advice-wrong-version':
    'Choose a version that fits this server’s Minecraft version, or disable it.',
  'extensions.advice-wrong-side': 'Remove it here. Players install it in their own game.',
  'extensions.advice-wrong-java': 'Choose another Java for this server.',
  'extensions.advice-older-java':
    'Choose Java {wants} or newer for this server, or install an older version instead.',
  'extensions.advice-no-newer-java':
    'This server’s software runs with Java {most} at most. Install an older version instead, or change the server to a newer version of Minecraft.',
  'extensions.advice-duplicate':
    'Keep one of them and remove the others: which one is loaded is not certain.',
  'extensions.advice-unreadable': 'Download the file again, or remove it.',
  'extensions.advice-not-described':
    'Check that this is the right file. If the server doesn’t need it, remove it.',
  'extensions.advice-invalid-description': 'Install another version of it, or remove it.',
  'extensions.advice-wrong-file-name': 'Rename the file to {name}.',
  'extensions.unreadable-empty': 'The file is empty',
  'extensions.unreadable-not-zip': 'The file is not a jar, whatever its name says',
  'extensions.unreadable-damaged': 'The file is damaged or incomplete',
  'extensions.unreadable-too-large': 'Larger than 2 GiB, so it wasn’t looked into',
  'extensions.unreadable-too-slow': 'Looking into it took too much time or memory',
  'extensions.unreadable-not-file': 'A link to another place, which isn’t followed',
  'extensions.unreadable-not-opened': 'The file couldn’t be opened',
  'extensions.problem-broken-description': 'Its {name} can’t be read',
  'extensions.advice-not-read':
    'The server may load it all the same. What it is and what it needs isn’t known.',
} as const)
