/** Set by the build: files of the app, files of its languages, and a version. */
declare const FILES_OF_THE_APP: readonly string[]
declare const LANGUAGES_OF_THE_APP: Readonly<Record<string, string>>
declare const VERSION_OF_THE_APP: string

declare const self: ServiceWorkerGlobalScope

const cacheName = `furrow-app-${VERSION_OF_THE_APP}`
const files: ReadonlySet<string> = new Set(FILES_OF_THE_APP.map((name) => `/app/${name}`))
const languages = new Map(Object.entries(LANGUAGES_OF_THE_APP).map(([code, name]) => [code, `/app/${name}`]))
const filesOfLanguages: ReadonlySet<string> = new Set(languages.values())
const page = '/app/app.html'

/** Hashed files may be cached by an earlier try; the page is fetched again, because its headers may have changed. */
self.addEventListener('install', (event) => event.waitUntil(keepFiles()))

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName)
  const lacking = await Promise.all(
    [...files].map(async (file) => ((await cache.match(file)) === undefined ? [file] : [])),
  )
  const wanted = new Set([...lacking.flat(), ...(await spokenBefore()), page])
  await cache.addAll([...wanted].map((file) => new Request(file, { cache: 'no-cache' })))
}

/** Languages cached by an earlier version. */
async function spokenBefore(): Promise<string[]> {
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  const paths = caught.flat().map(({ url }) => new URL(url).pathname)
  return [...languages].flatMap(([code, file]) =>
    paths.some((path) => path.startsWith(`/app/${code}-`)) ? [file] : [],
  )
}

/** Caches a language on first use. A newer version may have deleted the cache: opening it would create it again. */
async function keepLanguage(code: string): Promise<void> {
  const file = languages.get(code)
  if (file === undefined || !(await caches.has(cacheName))) return
  const cache = await caches.open(cacheName)
  if ((await cache.match(file)) === undefined) await cache.add(file)
}

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

async function takeOver(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** A starting page activates a new version if it is the only one; the user may ask for it at any time. */
self.addEventListener('message', (event) => {
  if (event.data === 'take-over') event.waitUntil(self.skipWaiting())
  if (event.data === 'start') event.waitUntil(takeOverFromOne())
  if (event.data?.speaks !== undefined) event.waitUntil(keepLanguage(event.data.speaks))
})

async function takeOverFromOne(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.filter(({ url }) => new URL(url).pathname.startsWith('/app/')).length <= 1) await self.skipWaiting()
}

/** Serves the app's own files, and its page for every address below /app/; the rest goes to the server. */
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (files.has(pathname) || filesOfLanguages.has(pathname)) event.respondWith(kept(pathname, request))
  else if (request.mode === 'navigate' && pathname.startsWith('/app/')) event.respondWith(kept(page, request))
})

async function kept(file: string, request: Request): Promise<Response> {
  return (await caches.match(file, { cacheName })) ?? fetch(request)
}
