import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Problem } from '../../core/bridge.ts'
import { memoryCheck, nameCheck } from '../../core/checks.ts'
import { useLanguage } from '../../messages/t.svelte.ts'
import { Form } from './form.svelte.ts'

const fine = { name: null, memory: null }
const refuse = (fields?: Record<string, string[]>) => async (): Promise<never> => {
  throw new Problem({ code: 'invalid', message: 'No.', retryable: false, fields })
}

describe('a form', () => {
  it('sends nothing while a field is wrong, and says so at the field', async () => {
    const form = new Form<'name' | 'memory'>()
    const send = vi.fn(async () => 1)
    expect(await form.send({ name: () => 'This field is required.', memory: null }, send)).toBeNull()
    expect(send).not.toHaveBeenCalled()
    expect(form.error('name')).toBe('This field is required.')
    expect(form.error('memory')).toBeNull()
  })

  it('puts what the service says about a field to that field', async () => {
    const form = new Form<'name' | 'memory'>()
    await form.send(fine, refuse({ memory: ['Too much.'] }))
    expect(form.error('memory')).toBe('Too much.')
    expect(form.problem).toBeNull()
    expect(form.busy).toBe(false)
  })

  it('loses nothing that is said about a field it does not have', async () => {
    const form = new Form<'name' | 'memory'>()
    await form.send(fine, refuse({ memory: ['Too much.'], port: ['Taken.'] }))
    expect(form.error('memory')).toBe('Too much.')
    expect(form.problem?.fields?.port).toEqual(['Taken.'])
  })

  it('says what is wrong in the language of the moment', async () => {
    const form = new Form<'name' | 'memory'>()
    await form.send({ name: nameCheck(''), memory: memoryCheck('1') }, async () => 1)
    expect([form.error('name'), form.error('memory')]).toEqual([
      'This field is required.',
      'Enter whole megabytes, at least 256.',
    ])
    await useLanguage('de')
    onTestFinished(() => useLanguage('en'))
    expect(form.error('name')).toBe('Dieses Feld ist erforderlich.')
    expect(form.error('memory')).toMatch(/mindestens 256/)
  })

  it('is busy while it is sent, and is not sent twice', async () => {
    const form = new Form<'name' | 'memory'>()
    let finish = (_: number): void => undefined
    const first = form.send(fine, () => new Promise<number>((done) => (finish = done)))
    expect(form.busy).toBe(true)
    expect(await form.send(fine, async () => 2)).toBeNull()
    finish(1)
    expect(await first).toBe(1)
    expect(form.busy).toBe(false)
  })

  it('forgets what was wrong when it is sent again', async () => {
    const form = new Form<'name' | 'memory'>()
    await form.send(fine, refuse())
    expect(form.problem?.code).toBe('invalid')
    await form.send(fine, async () => 1)
    expect(form.problem).toBeNull()
  })
})
