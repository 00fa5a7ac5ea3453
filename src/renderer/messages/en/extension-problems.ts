import { loaded } from '../loaded.ts'

/** What is wrong with a plugin or mod, in a few words. */
export const extensionProblems = loaded({
  'extensions.problem-missing-dependency': 'Needs {name}, which is not installed',
  'extensions.problem-missing-version': 'Needs {name} {wants}, which is not installed',
  'extensions.problem-clash': 'Conflicts with {name}',
  'extensions.problem-wrong-software': 'Made for other server software',
  'extensions.problem-wrong-software-for': 'Made for {wants}',
  'extensions.problem-wrong-version': 'Made for another version of Minecraft',
  'extensions.problem-wrong-version-for': 'Made for Minecraft {wants}',
  'extensions.problem-wrong-side': 'Works only in the game, not on a server',
  'extensions.problem-wrong-java': 'Needs another version of Java',
  'extensions.problem-wrong-java-for': 'Needs Java {wants}',
  'extensions.problem-duplicate': 'Installed more than once',
  'extensions.problem-duplicate-of': 'Also installed as {name}',
  'extensions.problem-unreadable': 'The file couldn’t be read',
  'extensions.problem-unknown': 'Has a problem: {name}',
  'extensions.problem-something': 'something',
} as const)
