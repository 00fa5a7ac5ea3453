import { expect, it, onTestFinished } from 'vitest'
import { openTerminal } from './terminal.ts'

function opened(byGpu?: boolean) {
  const place = document.createElement('div')
  place.style.cssText = 'width: 1000px; height: 300px'
  document.body.append(place)
  const open = openTerminal(place, {}, 'Output', byGpu)
  onTestFinished(() => {
    open.close()
    place.remove()
  })
  return { place, ...open }
}

it('draws by the DOM where there is no GPU', async () => {
  const { place, terminal } = opened(false)
  terminal.write('some text')
  await expect.poll(() => place.querySelector('.xterm-rows')?.textContent).toContain('some text')
  expect(place.querySelector('canvas')).toBeNull()
})

it('draws on a canvas where there is a GPU', async () => {
  const { place } = opened(true)
  await expect.poll(() => place.querySelector('.xterm-screen canvas')).not.toBeNull()
})

it('a terminal closed before its canvas came draws nothing', async () => {
  const { place, close } = opened(true)
  close()
  await import('@xterm/addon-webgl')
  expect(place.querySelector('canvas')).toBeNull()
})
