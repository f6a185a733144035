/** Messages between tabs of one copy. */
export type TabMessage =
  | { readonly kind: 'committed'; readonly uuids: readonly string[]; readonly assetsMoved: readonly string[] }
  | { readonly kind: 'emptied' }
  | { readonly kind: 'outbox'; readonly uuids: readonly string[]; readonly assetsMoved: readonly string[] }
  | { readonly kind: 'status'; readonly status: unknown; readonly usable: boolean }
  | { readonly kind: 'what-status' }
  | { readonly kind: 'sending'; readonly sending: unknown }
  | { readonly kind: 'send-now' }
  | { readonly kind: 'left' }

let channel: BroadcastChannel | null = null

/** Listens to the other tabs of this database; there is one channel at a time. */
export function listenToTabs(name: string, onMessage: (message: TabMessage) => void): void {
  closeChannel()
  channel = new BroadcastChannel(name)
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => onMessage(data)
}

export function tellTabs(message: TabMessage): void {
  channel?.postMessage(message)
}

export function closeChannel(): void {
  channel?.close()
  channel = null
}
