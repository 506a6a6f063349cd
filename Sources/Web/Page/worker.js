// Keeps the page's own files, so that it opens without the server and says that it is away. Nothing of the device is kept.

const NAME = "lodestone";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.pathname.startsWith("/api/") || url.pathname === "/metrics" || url.search) return;
  event.respondWith((async () => {
    const files = await caches.open(NAME);
    try {
      const answer = await fetch(event.request);
      if (answer.ok) await files.put(event.request, answer.clone());
      return answer;
    } catch (error) {
      const kept = await files.match(event.request);
      if (kept) return kept;
      throw error;
    }
  })());
});
