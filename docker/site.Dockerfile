# The laboratory as a static site, on port 8080, served by a user without rights. In the folder of a release,
# which `./run release` leaves in target/:
#
#   docker build --file site.Dockerfile --tag zvmlab-site .
#   docker run --rm --read-only --tmpfs /tmp --publish 8080:8080 zvmlab-site
ARG BASE=debian:bookworm-slim
FROM ${BASE}
RUN apt-get update \
 && apt-get install --yes --no-install-recommends nginx-light \
 && rm -rf /var/lib/apt/lists/* /var/www/html
# ADD unpacks the archive.
ADD zvmlab-*-site.tar.gz /srv/
RUN mv /srv/zvmlab-*-site /srv/zvmlab
COPY nginx.conf /etc/nginx/nginx.conf
USER 10001:10001
EXPOSE 8080
STOPSIGNAL SIGQUIT
CMD ["nginx", "-e", "stderr", "-g", "daemon off;"]
