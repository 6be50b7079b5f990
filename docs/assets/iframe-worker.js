// The search of a site that is opened from its folder: browsers start no worker from a file, so a hidden frame stands in.
(() => {
  if (location.protocol !== "file:") return;

  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame;
      const inside = frame.contentWindow;
      // Written, so that no browser puts an empty document in its place later.
      inside.document.open();
      inside.document.write("<!doctype html><title>search</title><body>");
      inside.document.close();
      const run = (source) =>
        new Promise((done, failed) => {
          const script = inside.document.createElement("script");
          script.src = new URL(source, document.baseURI).href;
          script.onload = done;
          script.onerror = () => failed(new Error(`not loaded: ${script.src}`));
          inside.document.body.append(script);
        });
      this.deliver = inside.dispatchEvent.bind(inside);
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...sources) => {
        for (const source of sources) await run(source);
      };
      this.ready = run(url);
    }

    async postMessage(data) {
      await this.ready;
      this.deliver(new MessageEvent("message", { data: structuredClone(data) }));
    }

    terminate() {
      this.frame.remove();
    }
  }

  // The theme's worker looks for the first name to find its folder.
  window.IFrameWorker = window.Worker = FrameWorker;
})();
