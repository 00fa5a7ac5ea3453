import { expect, test } from 'vitest'
import { chooseJava } from './choose-java.ts'
import type { InstalledJava } from './find-java.ts'

const java = (version: string, major: number): InstalledJava => ({
  home: `/jvm/${version}`,
  executable: `/jvm/${version}/bin/java`,
  major,
  version,
  implementor: null,
  arch: null,
  libc: null,
  isLaunchers: false,
})

const installed = [
  java('25', 25),
  java('17.0.9', 17),
  java('17.0.15', 17),
  java('1.8.0_432', 8),
  java('21', 21),
]
const chosen = (...given: Parameters<typeof chooseJava>) => {
  const choice = chooseJava(...given)
  return choice.kind === 'found' ? choice.java.version : choice.sentence
}

test('one that a launcher keeps for itself is chosen only where no other has its version', () => {
  const launchers = [
    { ...java('21.0.9', 21), isLaunchers: true },
    { ...java('16.0.1', 16), isLaunchers: true },
  ]
  expect(chosen({ major: 21, exact: false }, [...launchers, ...installed])).toBe('21')
  expect(chosen({ major: 16, exact: false }, [...launchers, ...installed])).toBe('16.0.1')
})

test('the smallest that is new enough is chosen, and of that the newest', () => {
  expect(chosen({ major: 16, exact: false }, installed)).toBe('17.0.15')
  expect(chosen({ major: 21, exact: false }, installed)).toBe('21')
  expect(chosen({ major: 22, exact: false }, installed)).toBe('25')
})

test('where only one version does, no newer one is chosen', () => {
  expect(chosen({ major: 8, exact: true }, installed)).toBe('1.8.0_432')
  expect(chosen({ major: 16, exact: true }, installed)).toBe(
    "This server needs exactly Java 16, and no newer one, which isn't on this computer. " +
      'Found here: Java 8, Java 17, Java 21 and Java 25. Install Java 16 on this computer, then start the server again.',
  )
})

test('what was made for Java 8 does not get one that it is known not to run on', () => {
  const modern = installed.filter(({ major }) => major > 8)
  expect(chosen({ major: 8, exact: false }, installed)).toBe('1.8.0_432')
  expect(chosen({ major: 8, exact: false }, [...modern, java('11.0.2', 11)])).toBe('11.0.2')
  expect(chosen({ major: 8, exact: false }, modern)).toContain(
    "needs Java 8, or a newer one up to Java 16, which isn't on this computer.",
  )
  // 1.17 wants 16, and runs on 17.
  expect(chosen({ major: 16, exact: false }, modern)).toBe('17.0.15')
})

test('what is missing is told with what is there', () => {
  expect(chosen({ major: 26, exact: false }, [])).toBe(
    "This server needs Java 26 or newer, which isn't on this computer. No Java was found here. " +
      'Install Java 26 on this computer, then start the server again.',
  )
  expect(chosen({ major: 21, exact: false }, [java('17', 17)])).toContain('Found here: Java 17.')
})

test("somebody's own choice counts, also where an exact version is wanted, unless it is too old or gone", () => {
  expect(chosen({ major: 8, exact: true }, installed, '/jvm/17.0.9')).toBe('17.0.9')
  expect(chosen({ major: 21, exact: false }, installed, '/jvm/17.0.9')).toContain(
    'needs Java 21 or newer, and the one chosen for it is Java 17.',
  )
  expect(chosen({ major: 21, exact: false }, installed, '/jvm/gone')).toContain(
    'The Java chosen for this server, /jvm/gone, is no longer on this computer.',
  )
})
