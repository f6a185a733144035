import { computed, effect } from '@preact/signals'
import { type ComponentChildren, Fragment, type JSX } from 'preact'
import type { BarPlace } from '../look/bar.tsx'
import { beside, lastList, lastPlace, lastShown, wide } from '../look/desk.ts'
import { Link } from '../look/link.tsx'
import { Empty, ownUp, Pane, PaneRole, Title } from '../look/page.tsx'
import { address, base, route } from '../look/router.ts'
import { assetBy } from '../store/local-copy.ts'
import { isGroup } from '../store/record.ts'
import { groupsOf } from '../store/stays.ts'
import { say } from '../words/say.ts'
import { type ScreenMatch, screenAt } from './screens.tsx'

export const here = computed(() => screenAt(route.value.path))

effect(() => {
  const kind = here.value?.screen.kind
  if (kind === 'list') lastList.value = address.value
  if (kind === 'list' || route.value.path === '/map') lastPlace.value = address.value
  if (kind !== undefined && kind !== 'entry' && kind !== 'over') lastShown.value = address.value
})

/** Loads the chunk of a screen before there is data to show. */
effect(() => void here.value?.screen.code?.fetch())

/** Asset whose neighbour pane is decided. */
let settled: string | null = null

const isListed = (id: string): boolean =>
  document.querySelector(`.split > .pane:first-child a[href="${base}/asset/${CSS.escape(id)}"]`) !== null

/** Active item of the bar: a record belongs to the list that led to it. */
export const place = computed<BarPlace | null>(() =>
  here.value === null ? null : (here.value.screen.place ?? pathOf(lastPlace.value).screen.place),
)

const pageOfMembers = (id: string): string => `/group/${id}`

putGroupBeside(() => (here.value?.screen.pattern === '/asset/:id' ? here.value.parts.id : undefined))

/** Back link on a phone, or from a page outside of the bar. */
export const up = computed(() => {
  const kind = here.value?.screen.kind
  if (ownUp.value !== null) return ownUp.value
  if (wide.value || (kind !== 'detail' && route.value.path !== '/outbox')) return undefined
  return { to: lastPlace.value, label: say(`shell.${pathOf(lastPlace.value).screen.place ?? 'records'}`) }
})

function pathOf(list: string): ScreenMatch {
  const found = screenAt(new URL(list, 'app:/').pathname)
  if (found === null) throw new Error(`no screen at ${list}`)
  return found
}

/** Panes of the address: a record beside its list if there is room, a sheet over the screen below. */
export function Panes(): JSX.Element {
  const found = here.value
  if (found === null)
    return (
      <Main>
        <NotFound />
      </Main>
    )
  const isOver = found.screen.kind === 'over'
  const under = isOver ? lastShown.value : address.value
  return (
    <>
      <PaneRole.Provider value={isOver ? 'beside' : 'named'}>
        <Under found={pathOf(under)} query={new URL(under, 'app:/').searchParams} />
      </PaneRole.Provider>
      {isOver && <Shown found={found} query={route.value.query} />}
    </>
  )
}

function Under({ found, query }: ShownProps): JSX.Element {
  const named = <Shown found={found} query={query} />
  if (found.screen.kind === 'entry') return <Main class="entry">{named}</Main>
  if (found.screen.kind === 'map') return <Main>{named}</Main>
  if (found.screen.kind === 'page') return <Alone>{named}</Alone>
  if (wide.value) return <Split found={found} query={query} />
  return (
    <Main>
      <Pane class={found.screen.kind === 'list' ? 'book' : ''} name={found.screen.kind} key={found.screen.kind}>
        {named}
      </Pane>
    </Main>
  )
}

interface MainProps {
  readonly class?: string
  readonly children: ComponentChildren
}

function Main({ class: classes = '', children }: MainProps): JSX.Element {
  return (
    <main id="main" class={`main ${classes}`} tabIndex={-1}>
      {children}
    </main>
  )
}

function Alone({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <Main>
      <Pane class="book alone" name="page" key={route.value.path}>
        {children}
      </Pane>
    </Main>
  )
}

function Split({ found, query }: ShownProps): JSX.Element {
  const choosing = found.screen.kind === 'list'
  const list = choosing ? found : pathOf(lastList.value)
  const listQuery = choosing ? query : new URL(lastList.value, 'app:/').searchParams
  const detail = choosing ? screenAt(beside.value ?? '') : found
  return (
    <Main class="split">
      <Pane class="book" name="list" key={list.screen.pattern}>
        <PaneRole.Provider value={choosing ? 'named' : 'beside'}>
          <Shown found={list} query={listQuery} />
        </PaneRole.Provider>
      </Pane>
      <Pane name="detail" key={choosing ? beside.value : route.value.path}>
        <PaneRole.Provider value={choosing ? 'beside' : 'named'}>
          {detail && <Shown found={detail} query={route.value.query} />}
        </PaneRole.Provider>
      </Pane>
    </Main>
  )
}

interface ShownProps {
  readonly found: ScreenMatch
  readonly query: URLSearchParams
}

/** Keyed by record, so that no state of the previous one remains. */
function Shown({ found: { screen, parts }, query }: ShownProps): JSX.Element {
  return <Fragment key={`${screen.pattern} ${parts.id ?? ''}`}>{screen.show({ parts, query })}</Fragment>
}

function NotFound(): JSX.Element {
  return (
    <>
      <Title text={say('shell.nowhere')} class="out" />
      <Empty text={say('shell.nowhere')}>
        <Link to="/" class="btn tall">
          {say('shell.to-today')}
        </Link>
      </Empty>
    </>
  )
}

/** On a desk an animal is beside its group, unless the user chose it from another list. */
function putGroupBeside(asset: () => string | undefined): void {
  effect(() => {
    const id = asset()
    if (id === undefined) settled = null
    if (id === undefined || id === settled || !wide.value) return
    const group = isListed(id) ? null : groupFor(id)
    if (group !== null) lastList.value = pageOfMembers(group)
    if (group !== null || isListed(id)) settled = id
  })
}

/** A group is its own; of several groups the shown one wins. */
function groupFor(id: string): string | null {
  const asset = assetBy(id)
  if (asset === undefined) return null
  if (isGroup(asset)) return asset.id
  const groups = groupsOf(asset.id).flatMap(({ place }) => place ?? [])
  return groups.find((group) => lastList.peek() === pageOfMembers(group)) ?? groups[0] ?? null
}
