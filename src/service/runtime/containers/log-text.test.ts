import { expect, test } from 'vitest'
import { LogText } from './log-text.ts'
import { secondsOf } from './log-times.ts'

const bytes = Buffer.from(
  '2026-11-29T13:02:31.082661317Z first line\r\n' +
    '2026-11-29T13:02:31.082999999Z second, of the same ms\r\n' +
    '2026-11-29T13:02:32Z  with a space\r\nno time\r\n2026-11-29T13:02:33Z not ended',
)
const at = (time: string) => Date.parse(time)

test('a terminal’s log is read with its times, wherever it is cut', () => {
  for (let cut = 0; cut <= bytes.length; cut++) {
    const log = new LogText()
    const read = [...log.push(bytes.subarray(0, cut)), ...log.push(bytes.subarray(cut)), ...log.flush()]
    const lines = read.flatMap((one) => one.lines.map((line) => [one.at, line]))
    expect(lines).toEqual([
      [at('2026-11-29T13:02:31.082Z'), 'first line'],
      [at('2026-11-29T13:02:31.082Z'), 'second, of the same ms'],
      [at('2026-11-29T13:02:32Z'), ' with a space'],
      [at('2026-11-29T13:02:32Z'), 'no time'],
      [at('2026-11-29T13:02:33Z'), 'not ended'],
    ])
  }
})

test.each([
  ['2026-11-29T13:02:31.082661317Z', 0n, '1795957351.082661317'],
  ['2026-11-29T13:02:31.999999999Z', 1n, '1795957352.000000000'],
  ['2026-11-29T14:02:31.5+01:00', 0n, '1795957351.500000000'],
  ['2026-11-29T13:02:31Z', 0n, '1795957351.000000000'],
  ['0001-01-01T00:00:00Z', 0n, '0'],
  ['never', 0n, '0'],
])('%s plus %d ns is %s', (time, plus, seconds) => {
  expect(secondsOf(time, plus)).toBe(seconds)
})
