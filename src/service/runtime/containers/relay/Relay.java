package wheelhouse;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Within a proxy in a container, 127.0.0.1 is the container itself. This listens there on the ports of the proxy's
 * servers, and leads each connection on to its server. Loaded by Java before the proxy: `-javaagent:relay.jar=PORT=HOST,…`
 */
public final class Relay implements Runnable {
    private static final int BYTES = 64 * 1024, WAITING_MOST = 1024, CONNECTING_MOST = 16, CONNECT_MS = 1_500;

    private final Selector selector = Selector.open();
    private final ByteBuffer shared = ByteBuffer.allocateDirect(BYTES);
    /** Finding a name and reaching a server take time, in which others must not wait. */
    private final ThreadPoolExecutor connecting = new ThreadPoolExecutor(
            CONNECTING_MOST, CONNECTING_MOST, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(WAITING_MOST), Relay::thread);
    private final Queue<SocketChannel[]> connected = new ConcurrentLinkedQueue<>();

    private Relay(String routes) throws IOException {
        connecting.allowCoreThreadTimeOut(true);
        for (String route : routes.split(",")) {
            String[] parts = route.split("=");
            listen("127.0.0.1", Integer.parseInt(parts[0]), parts[1]);
            try {
                listen("::1", Integer.parseInt(parts[0]), parts[1]);
            } catch (IOException | IllegalArgumentException | UnsupportedOperationException withoutIPv6) {
                continue;
            }
        }
    }

    public static void premain(String routes) throws IOException {
        thread(new Relay(routes)).start();
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "Wheelhouse relay");
        thread.setDaemon(true);
        return thread;
    }

    private void listen(String at, int port, String host) throws IOException {
        ServerSocketChannel listener = ServerSocketChannel.open();
        try {
            listener.bind(new InetSocketAddress(at, port));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT, new Route(host, port));
        } catch (IOException | RuntimeException error) {
            listener.close();
            throw error;
        }
    }

    /** Looked up at each connection: a server that is started again may be elsewhere. */
    private static final class Route {
        final String host;
        final int port;

        Route(String host, int port) {
            this.host = host;
            this.port = port;
        }

        InetSocketAddress now() throws IOException {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        }
    }

    @Override
    public void run() {
        while (true)
            try {
                selector.select();
                for (SocketChannel[] ends; (ends = connected.poll()) != null; ) begin(ends[0], ends[1]);
                for (SelectionKey key : selector.selectedKeys())
                    if (key.attachment() instanceof Pair) ((Pair) key.attachment()).move();
                    else accept(key);
                selector.selectedKeys().clear();
            } catch (IOException error) {
                throw new IllegalStateException(error);
            }
    }

    private void accept(SelectionKey key) {
        SocketChannel from = null;
        try {
            SocketChannel accepted = from = ((ServerSocketChannel) key.channel()).accept();
            if (from != null) connecting.execute(() -> connect(accepted, (Route) key.attachment()));
        } catch (RejectedExecutionException tooMany) {
            refuse(from);
        } catch (IOException noMoreFiles) {
            // It is asked again at once, which must not take a whole core.
            LockSupport.parkNanos(20_000_000);
        }
    }

    private void connect(SocketChannel from, Route address) {
        SocketChannel to = null;
        try {
            to = reached(address);
            for (SocketChannel end : new SocketChannel[] {from, to}) {
                end.setOption(StandardSocketOptions.TCP_NODELAY, true);
                end.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
                end.configureBlocking(false);
            }
            connected.add(new SocketChannel[] {from, to});
            selector.wakeup();
        } catch (IOException | RuntimeException notReached) {
            refuse(from);
            if (to != null) close(to);
        }
    }

    private static SocketChannel reached(Route address) throws IOException {
        for (long end = System.nanoTime() + CONNECT_MS * 1_000_000L; ; LockSupport.parkNanos(20_000_000)) {
            SocketChannel to = SocketChannel.open();
            long left = (end - System.nanoTime()) / 1_000_000;
            try {
                to.socket().connect(address.now(), (int) Math.max(1, left));
                return to;
            } catch (NoRouteToHostException error) {
                // Also said of a server that has just come, where somebody asked for it before.
                close(to);
                if (left <= 0) throw error;
            } catch (IOException | RuntimeException error) {
                close(to);
                throw error;
            }
        }
    }

    /** As if nobody listened. */
    private static void refuse(SocketChannel from) {
        try {
            from.setOption(StandardSocketOptions.SO_LINGER, 0);
        } catch (IOException closed) {
            // By the other side.
        }
        close(from);
    }

    private static void close(SocketChannel end) {
        try {
            end.close();
        } catch (IOException closed) {
            // What matters is that it is.
        }
    }

    private void begin(SocketChannel from, SocketChannel to) {
        Pair pair = new Pair(from, to);
        try {
            pair.keys[0] = from.register(selector, 0, pair);
            pair.keys[1] = to.register(selector, 0, pair);
            pair.move();
        } catch (IOException error) {
            pair.close();
        }
    }

    /** Two ends of a connection, each with bytes that the other was too slow for. */
    private final class Pair {
        final SocketChannel[] ends;
        final SelectionKey[] keys = new SelectionKey[2];
        private final ByteBuffer[] rests = new ByteBuffer[2];
        private final boolean[] hasEnded = new boolean[2];

        Pair(SocketChannel from, SocketChannel to) {
            ends = new SocketChannel[] {from, to};
        }

        void move() {
            try {
                for (int from = 0; from < 2; from++) move(from, 1 - from);
                if (hasEnded[0] && hasEnded[1] && rests[0] == null && rests[1] == null) close();
                else for (int at = 0; at < 2; at++) keys[at].interestOps(wanted(at, 1 - at));
            } catch (IOException | CancelledKeyException broken) {
                close();
            }
        }

        private int wanted(int at, int other) {
            return (hasEnded[at] || rests[at] != null ? 0 : SelectionKey.OP_READ) | (rests[other] == null ? 0 : SelectionKey.OP_WRITE);
        }

        private void move(int from, int to) throws IOException {
            if (rests[from] != null) {
                ends[to].write(rests[from]);
                if (rests[from].hasRemaining()) return;
                rests[from] = null;
            }
            if (hasEnded[from]) return;
            shared.clear();
            if (ends[from].read(shared) < 0) {
                hasEnded[from] = true;
                ends[to].shutdownOutput();
                return;
            }
            shared.flip();
            ends[to].write(shared);
            if (shared.hasRemaining()) rests[from] = (ByteBuffer) ByteBuffer.allocate(shared.remaining()).put(shared).flip();
        }

        void close() {
            for (SocketChannel end : ends) Relay.close(end);
        }
    }
}
