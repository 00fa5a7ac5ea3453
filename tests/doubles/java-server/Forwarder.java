import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands in for what Velocity does with players: whoever joins is led to the first server of `try` that answers. It passes
 * bytes on as they are, without a word of the game's protocol.
 */
final class Forwarder {
    private final ServerLog log;
    private final Map<String, InetSocketAddress> servers = new LinkedHashMap<>();
    private final List<String> order = new ArrayList<>();

    Forwarder(ServerLog log) {
        this.log = log;
    }

    /** A line of the table `servers` in velocity.toml. */
    void read(String line) {
        Matcher server = Pattern.compile("([\\w-]+) *= *\"(.+):(\\d+)\".*").matcher(line);
        if (server.matches()) servers.put(server.group(1), new InetSocketAddress(server.group(2), Integer.parseInt(server.group(3))));
        if (!line.startsWith("try")) return;
        Matcher name = Pattern.compile("\"([^\"]+)\"").matcher(line);
        while (name.find()) order.add(name.group(1));
    }

    boolean isEmpty() {
        return servers.isEmpty();
    }

    /** With what the player said first, which is all before the server has its say. Until both sides have ended. */
    void forward(Socket client, byte[]... begin) throws IOException {
        for (String name : order)
            try (Socket server = new Socket()) {
                server.connect(servers.get(name), 5000);
                for (byte[] packet : begin) server.getOutputStream().write(packet);
                int first = server.getInputStream().read();
                if (first < 0) throw new IOException("it closed the connection");
                log.info("[server connection] " + name + " has connected");
                client.getOutputStream().write(first);
                client.setSoTimeout(0);
                Thread back = new Thread(() -> copy(server, client));
                back.setDaemon(true);
                back.start();
                copy(client, server);
                back.join();
                return;
            } catch (IOException | InterruptedException error) {
                log.info("Unable to connect to " + name + ": " + error.getMessage());
            }
    }

    private static void copy(Socket from, Socket to) {
        byte[] piece = new byte[16 * 1024];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) out.write(piece, 0, read);
            to.shutdownOutput();
        } catch (IOException ended) {
            // By one of both.
        }
    }
}
