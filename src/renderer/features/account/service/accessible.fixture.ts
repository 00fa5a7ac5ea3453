import axe from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'

/** Looks at a part in both themes and two sizes. */
export async function expectAccessible(container: Element): Promise<void> {
  for (const theme of ['light', 'dark'])
    for (const [width, height] of [
      [1280, 800],
      [720, 600],
    ] as const) {
      document.documentElement.dataset['theme'] = theme
      await page.viewport(width, height)
      // Colors on their way from one theme to the other belong to neither.
      // One that a part takes over from what is around it begins when that one ends.
      for (let moving = document.getAnimations(); moving.length > 0; moving = document.getAnimations())
        await Promise.allSettled(moving.map(({ finished }) => finished))
      const { violations } = await axe.run(container)
      expect(violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 120))])).toEqual(
        [],
      )
    }
  delete document.documentElement.dataset['theme']
}
