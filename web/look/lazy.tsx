import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { say } from '../words/say.ts'
import { Empty, Loading } from './page.tsx'

/** A chunk of the app, loaded when first shown, or prefetched. */
export interface LazyPart<Part> {
  readonly fetch: () => Promise<void>
  /** `instead` is shown while loading and after a failure. */
  readonly show: (draw: (part: Part) => JSX.Element, instead?: JSX.Element) => JSX.Element
}

interface ShownProps<Part> {
  readonly draw: (part: Part) => JSX.Element
  readonly instead: JSX.Element | undefined
}

export function lazy<Part>(load: () => Promise<Part>): LazyPart<Part> {
  const loaded = signal<Part | null>(null)
  const missing = signal(false)

  async function fetchOnce(): Promise<void> {
    if (loaded.peek() !== null) return
    missing.value = false
    try {
      loaded.value = await load()
    } catch {
      if ((await askVersion()) === 'replaced') startAnewOnce()
      missing.value = true
    }
  }

  /** Some browsers cache a failed import: then the page reloads once the server answers. */
  async function fetchAgain(): Promise<void> {
    await fetchOnce()
    if (missing.peek() && (await askVersion()) !== 'no-answer') location.reload()
  }

  function Shown({ draw, instead }: ShownProps<Part>): JSX.Element {
    useEffect(() => void fetchOnce(), [])
    if (loaded.value !== null) return draw(loaded.value)
    if (instead !== undefined) return instead
    if (!missing.value) return <Loading />
    return (
      <Empty text={say('shell.failed.offline')}>
        <button type="button" class="btn tall" onClick={fetchAgain}>
          {say('shell.try-again')}
        </button>
      </Empty>
    )
  }

  return { fetch: fetchOnce, show: (draw, instead) => <Shown draw={draw} instead={instead} /> }
}

const own = import.meta.url
const place = 'furrow-started-anew'

/** Asks whether the server still has this version of the app. */
async function askVersion(): Promise<'same' | 'replaced' | 'no-answer'> {
  try {
    const { status } = await fetch(own, { method: 'HEAD', cache: 'no-store' })
    return status === 404 ? 'replaced' : 'same'
  } catch {
    return 'no-answer'
  }
}

/** Reloads the page for the server's version; only once, in case that lacks a file as well. */
function startAnewOnce(): void {
  if (sessionStorage.getItem(place) === own) return
  sessionStorage.setItem(place, own)
  location.reload()
}
