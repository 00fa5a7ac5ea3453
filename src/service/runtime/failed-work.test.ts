import { refusalText } from '../../contract/messages/refusals/index.ts'
import { expect, it } from 'vitest'
import { Refusal } from '../../host/refusal.ts'
import { failedWork, PartialChangeError } from './failed-work.ts'

it('what was refused is told by its code and its sentence, with the step it was at', () => {
  const refused = new Refusal(502, 'software.download-failed', 'It did not come. Try again.')
  expect(failedWork('change', refused, 'software')).toEqual({
    ...{ work: 'change', step: 'software', at: expect.any(String) },
    error: { code: 'software.download-failed', message: 'It did not come. Try again.' },
  })
})

it('a full disk is told as one, whatever met it', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  expect(failedWork('install', full)).toMatchObject({ error: { code: 'service.disk-full' }, step: null })
})

it('what nobody expected names no folder of this computer', () => {
  const error = Object.assign(new Error("EIO: i/o error, open '/home/ann/data'"), { code: 'EIO' })
  const { code, message } = failedWork('reset', error).error
  expect([code, message]).toEqual(['software.unexpected', expect.not.stringContaining('/home')])
})

it('what may have been done is not said to be undone', () => {
  const told = failedWork('change', new PartialChangeError(refusalText('software.second-try')))
  expect(told).toEqual({
    error: {
      message: expect.stringContaining('in a second try'),
      sentence: 'software.second-try',
      values: {},
    },
    ...{ at: expect.any(String), step: null },
  })
})
