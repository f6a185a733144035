import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { rounds } from './rounds.ts'

const axe = await readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8')
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const options = JSON.stringify({ runOnly: rules, resultTypes: ['violations'], preload: false })

/** What axe finds wrong. Evaluated by the tester's own tool, which a content security policy does not bind. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(axe)
  const found = await page.evaluate(`axe.run(${options})`)
  const { violations: list } = found as { violations: { id: string; nodes: { html: string }[] }[] }
  return list.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** Nothing lies beside the screen, and no pane has to be scrolled sideways. */
export async function expectNoOverflow(page: Page, name: string): Promise<void> {
  const wide =
    await page.evaluate(`[document.documentElement, ...document.querySelectorAll('.pane, .strip, .bar, dialog')]
    .filter((box) => box.scrollWidth > box.clientWidth)
    .map((box) => box.className + ' ' + box.scrollWidth + ' > ' + box.clientWidth)`)
  expect(wide, name).toEqual([])
}

/** The widths of a phone and of a desk. */
export const widths = [360, 1280] as const

/** All of them where there is much time, else one: for each name always the same. */
export function someFor<T>(name: string, all: readonly T[]): readonly T[] {
  const letters = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0)
  const place = letters % all.length
  return rounds({ short: all.slice(place, place + 1), long: all })
}

/** Half-way from one theme to the other no colour is right. */
const coloursAreSettled = `Promise.all(document.getAnimations()
  .filter((one) => one instanceof CSSTransition)
  .map((one) => one.finished.catch(() => {})))`

const looks = ['light', 'dark', 'sun'].flatMap((theme) => widths.map((width) => ({ theme, width })))

/** On a phone and on a desk, in each theme. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const { theme, width } of someFor(name, looks)) {
    await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
    await page.evaluate(coloursAreSettled)
    await page.setViewportSize({ width, height: 800 })
    expect(await violations(page), `${name} at ${width} px in ${theme}`).toEqual([])
  }
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page, `${name} at ${width} px`)
  }
}
