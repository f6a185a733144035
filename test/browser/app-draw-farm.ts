import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { frames } from '../harness/app.ts'
import type { Client, Json } from '../harness/client.ts'

export type Corner = readonly [longitude: number, latitude: number]

/** The map that is drawn on. */
export const theMap = (page: Page) => page.getByRole('application')

/** Keys move it at once; what is drawn follows in the next frame. */
export async function press(page: Page, key: string, times = 1): Promise<void> {
  for (let at = 0; at < times; at++) await theMap(page).press(key)
  await frames(page)
}

/** A finger that slides the map and rests before it is lifted, so that the map does not run on. */
export async function slide(page: Page, [right, down]: readonly [number, number]): Promise<void> {
  const box = await theMap(page).boundingBox()
  if (box === null) throw new Error('there is no map')
  const finger = await page.context().newCDPSession(page)
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', share: number) =>
    finger.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: x + right * share, y: y + down * share }],
    })
  await touch('touchStart', 0)
  for (const share of [0.2, 0.4, 0.6, 0.8, 1]) await touch('touchMove', share)
  await page.waitForTimeout(200)
  await touch('touchEnd', 1)
  await frames(page)
  await finger.detach()
}

/** The areas of that name, once there are so many. */
export async function areasNamed(client: Client, name: string, count = 1): Promise<readonly Json[]> {
  const read = async () =>
    (await client.read(`/taxonomy_term.json?bundle=farm_areas&name=${encodeURIComponent(name)}`)).list
  await expect.poll(async () => (await read()).length).toBe(count)
  return read()
}

export const cornersOf = ({ geofield: [shape] }: Json): readonly Corner[] =>
  [...String(shape.geom).matchAll(/(-?[\d.]+) (-?[\d.]+)/g)].map(([, longitude, latitude]) => [
    Number(longitude),
    Number(latitude),
  ])
