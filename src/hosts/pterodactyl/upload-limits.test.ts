import { expect, test } from 'vitest'
import { UploadLimits } from './upload-limits.ts'

const MB = 1024 * 1024

test('nothing is said of a limit until a machine told it, and then of that machine alone', () => {
  const limits = new UploadLimits()
  limits.check('a:2022', 1000 * MB)
  expect(limits.refused('a:2022', '<html>413 Request Entity Too Large</html>')).toBe(null)
  const said = '{"error":"File w.zip is larger than the maximum file upload size of 100 MB."}'
  expect(limits.refused('a:2022', said)?.told).toMatchObject({
    sentence: 'host.upload-size',
    values: { most: 100 },
  })
  expect([limits.of('a:2022'), limits.of('b:2022')]).toEqual([100 * MB, null])
  expect(() => limits.check('a:2022', 101 * MB)).toThrow('up to 100 MB')
  // A file of exactly the limit, in its form.
  limits.check('a:2022', 100 * MB + 900)
  limits.check('b:2022', 101 * MB)
})
