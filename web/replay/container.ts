/** Taken before the guard takes it from every script of the page. */
export const container: ServiceWorkerContainer | undefined = navigator.serviceWorker;
