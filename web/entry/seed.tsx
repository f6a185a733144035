import type { JSX } from 'preact'
import { Plant } from './planting.tsx'

export function SeedEntry(): JSX.Element {
  return <Plant entry="seed" />
}
