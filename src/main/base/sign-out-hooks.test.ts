import { expect, it } from 'vitest'
import { SignOutHooks } from './sign-out-hooks.ts'

it('every room forgets a connection that signs out, those that were built on others before them', async () => {
  const list = new SignOutHooks()
  const asked: string[] = []
  list.add((id) => void asked.push(`cache ${id}`))
  list.add(async (id) => {
    await Promise.resolve()
    asked.push(`transfers ${id}`)
  })
  await list.forget('mine')
  expect(asked).toEqual(['transfers mine', 'cache mine'])
})

it('a room that cannot forget is told, and nothing below it was taken away', async () => {
  const list = new SignOutHooks()
  const asked: string[] = []
  list.add((id) => void asked.push(id))
  list.add(() => Promise.reject(new Error('disk')))
  await expect(list.forget('mine')).rejects.toThrow('disk')
  expect(asked).toEqual([])
})

it('what is under way can be ended while everything is still there', async () => {
  const list = new SignOutHooks()
  const asked: string[] = []
  list.add((id) => void asked.push(`forgotten ${id}`))
  list.onLeave(async (id) => {
    await Promise.resolve()
    asked.push(`left ${id}`)
  })
  await list.leave('mine')
  expect(asked).toEqual(['left mine'])
})
