import type { JSX } from 'preact'
import { route } from '../look/router.ts'
import { chosenAreas, chosenAssets } from './chosen.ts'
import { MoveConfirm } from './move-confirm.tsx'
import { MoveSaved } from './move-saved.tsx'
import { MoveWhere } from './move-where.tsx'
import { MoveWho } from './move-who.tsx'

/** Who moves, and where to: what the address says already is not asked. */
export function MoveEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null) return <MoveSaved uuids={saved} />
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  if (assets.length === 0) return <MoveWho areas={areas} />
  if (areas.length === 0) return <MoveWhere assets={assets} />
  return <MoveConfirm assets={assets} areas={areas} />
}
