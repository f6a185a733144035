import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { squareMetresOf } from '../../src/fields/wkt/size.ts'
import { Icon } from '../look/icon.tsx'
import { Link } from '../look/link.tsx'
import { Title } from '../look/page.tsx'
import { kindOf, typeLabel } from '../look/place/area-kind.ts'
import { AreaShape } from '../look/place/area-shape.tsx'
import { sizeText, surfaceText } from '../look/place/area-size.ts'
import { occupantsOf } from '../look/place/occupants.ts'
import { shapesOf } from '../look/place/shapes.ts'
import type { LocalRecord } from '../store/record.ts'
import { figure } from '../words/format.ts'
import { say } from '../words/say.ts'
import { AreaFacts } from './area-sheet.tsx'
import { type AreaTree, areaTree, inOrder } from './area-tree.ts'
import { addressOfArea, chosenArea, shownMoment } from './map-state.ts'
import { NewAreaLink } from './new-area-link.tsx'
import { type Rest, restAt } from './rest.tsx'

/** The map as a list: for keyboards, screen readers, and browsers that cannot draw it. */
export function AreaList(): JSX.Element {
  const tree = areaTree.value
  const list = useRef<HTMLDivElement>(null)
  const chosen = chosenArea()
  useEffect(() => {
    for (const shown of ['.open', '[aria-current]'])
      list.current?.querySelector(shown)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys go from one link to the next
    <div class="tree" ref={list} onKeyDown={followArrows}>
      <div class="head">
        <Title text={say('map.title')}>{say('tree.title')}</Title>
        <p>{summary(tree)}</p>
        <NewAreaLink />
      </div>
      {groupsOf(topOf(tree)).map(([type, areas]) => (
        <Group key={type} areas={areas} tree={tree} />
      ))}
    </div>
  )
}

/** A single property that contains all other areas is listed before its children, not above them. */
function topOf({ roots, below }: AreaTree): readonly LocalRecord[] {
  const [only] = roots
  return roots.length === 1 && only !== undefined ? [only, ...inOrder(below(only.id))] : inOrder(roots)
}

function summary({ roots, byId }: AreaTree): string {
  const size = roots.reduce((sum, area) => sum + squareMetresOf(shapesOf(area)), 0)
  const count = byId.size
  return size === 0 ? say('tree.summary', { count }) : say('tree.summary-size', { count, size: surfaceText(size) })
}

function groupsOf(areas: readonly LocalRecord[]): readonly (readonly [string, readonly LocalRecord[]])[] {
  const groups = new Map<string, LocalRecord[]>()
  for (const area of areas) {
    const type = String(area.fields.area_type ?? '')
    const group = groups.get(type)
    if (group === undefined) groups.set(type, [area])
    else group.push(area)
  }
  return [...groups]
}

interface GroupProps {
  readonly areas: readonly LocalRecord[]
  readonly tree: AreaTree
}

function Group({ areas, tree }: GroupProps): JSX.Element {
  const [first] = areas
  const hasRest = areas.slice(0, pageLength).some(({ id }) => restAt(id, shownMoment()) !== undefined)
  return (
    <section>
      <div class="sec">
        <h2>{first === undefined ? '' : groupName(first)}</h2>
        {hasRest && <span class="r">{say('tree.days-of-rest')}</span>}
      </div>
      <Branch areas={areas} tree={tree} depth={0} />
    </section>
  )
}

function groupName(area: LocalRecord): string {
  const kind = kindOf(area)
  return kind === area.fields.area_type || area.fields.area_type === undefined
    ? say(`tree.kinds.${kind}`)
    : typeLabel(area)
}

const pageLength = 50
/** Up to this many areas the tree starts expanded. */
const fewAreas = 100
const fewBelow = 12

interface BranchProps extends GroupProps {
  readonly depth: number
}

function Branch({ areas, tree, depth }: BranchProps): JSX.Element {
  const [length, setLength] = useState(pageLength)
  const chosen = chosenArea()
  const holdsChosen = areas.findIndex(({ id }) => id === chosen)
  const shown = Math.max(length, holdsChosen + 1)
  return (
    <ul class={depth === 0 ? '' : 'branch'}>
      {areas.slice(0, shown).map((area) => (
        <AreaItem key={area.id} area={area} tree={tree} depth={depth} />
      ))}
      {areas.length > shown && (
        <li>
          <button type="button" class="btn plain more" onClick={() => setLength(shown + pageLength)}>
            {say('tree.more', { count: Math.min(pageLength, areas.length - shown) })}
          </button>
        </li>
      )}
    </ul>
  )
}

interface AreaItemProps {
  readonly area: LocalRecord
  readonly tree: AreaTree
  readonly depth: number
}

function AreaItem({ area, tree, depth }: AreaItemProps): JSX.Element {
  const below = isTop(area, tree) ? [] : tree.below(area.id)
  const chosen = chosenArea()
  const holdsChosen = below.length > 0 && chosen !== undefined && liesBelow(tree, chosen, area.id)
  const [isOpen, setOpen] = useState(holdsChosen || (below.length <= fewBelow && tree.byId.size <= fewAreas))
  useEffect(() => {
    if (holdsChosen) setOpen(true)
  }, [holdsChosen])
  const isChosen = chosen === area.id
  return (
    <li class="area-item" data-depth={Math.min(depth, 4)}>
      <div class={below.length > 0 ? 'area-line opens' : 'area-line'}>
        <Link to={addressOfArea(area.id)} class="row" current={isChosen ? 'true' : undefined}>
          <span class="m">
            <AreaShape area={area} />
          </span>
          <span class="t">
            <b>{area.name}</b>
            <small>{secondLine(area, below.length)}</small>
          </span>
          <span class="e">
            <RestWords rest={restAt(area.id, shownMoment())} />
          </span>
        </Link>
        {below.length > 0 && (
          <button
            type="button"
            class="icon-btn opener"
            aria-expanded={isOpen}
            aria-label={say(isOpen ? 'tree.collapse' : 'tree.expand', { name: area.name })}
            onClick={() => setOpen(!isOpen)}
          >
            <Icon name="next" size="small" />
          </button>
        )}
      </div>
      {isChosen && (
        <div class="open">
          <AreaFacts area={area} />
          <Link to={`/area/${area.id}`} class="btn plain small">
            {say('map.area.all')}
          </Link>
        </div>
      )}
      {isOpen && below.length > 0 && <Branch areas={inOrder(below)} tree={tree} depth={depth + 1} />}
    </li>
  )
}

const isTop = (area: LocalRecord, { roots }: AreaTree): boolean => roots.length === 1 && roots[0] === area

function liesBelow({ parentOf }: AreaTree, id: string, above: string): boolean {
  for (let at = parentOf(id); at !== undefined; at = parentOf(at)) if (at === above) return true
  return false
}

/** "2.84 ha · Milkers, 42" */
function secondLine(area: LocalRecord, below: number): string {
  const occupants = occupantsOf(area.id, shownMoment())
  const who = occupants
    .slice(0, 2)
    .map(({ asset, count }) => (count > 1 ? say('map.area.lot', { name: asset.name, count }) : asset.name))
  const more = occupants.length - who.length
  return [
    sizeText(area) ?? '',
    ...who,
    more > 0 ? say('map.area.more', { count: more }) : '',
    who.length === 0 && below > 0 ? say('tree.below', { count: below }) : '',
  ]
    .filter((words) => words !== '')
    .join(' · ')
}

function RestWords({ rest }: { readonly rest: Rest }): JSX.Element | null {
  if (rest === undefined) return null
  if (rest === 'grazed') return <>{say('tree.grazed')}</>
  if (rest === 0) return <>{say('tree.from-today')}</>
  return (
    <>
      <b class="num rest-days" aria-hidden="true">
        {figure(rest)}
      </b>
      <span class="out">{say('tree.days', { count: rest })}</span>
    </>
  )
}

/** Tree keys: up and down move between visible rows, right expands, left collapses. */
function followArrows(event: KeyboardEvent): void {
  const here = event.target instanceof Element ? event.target.closest('.area-line') : null
  const tree = event.currentTarget
  if (here === null || !(tree instanceof HTMLElement)) return
  const opener = here.querySelector('button')
  const isOpen = opener?.getAttribute('aria-expanded') === 'true'
  if (event.key === 'ArrowRight' && opener !== null && !isOpen) opener.click()
  else if (event.key === 'ArrowLeft' && isOpen) opener?.click()
  else if (event.key === 'ArrowLeft')
    focusRow(here.parentElement?.parentElement?.closest('.area-item')?.querySelector('.area-line'))
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const lines = [...tree.querySelectorAll('.area-line')]
    focusRow(lines[lines.indexOf(here) + (event.key === 'ArrowDown' ? 1 : -1)])
  } else return
  event.preventDefault()
}

const focusRow = (line: Element | null | undefined): void => line?.querySelector('a')?.focus()
