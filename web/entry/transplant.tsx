import type { JSX } from 'preact'
import { Plant } from './planting.tsx'

export function TransplantEntry(): JSX.Element {
  return <Plant entry="transplant" />
}
